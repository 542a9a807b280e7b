const NUMBERED =
  /(?<!\p{L})(?:orders?|invoices?|bill|tracking|track|shipment|parcel|package|waybill|awb|consignment|tickets?|cases?|claim|refs?|references?|transactions?|txn|trace|serial|batch|lot|sku|part|item|article|product|model|imei|isbn|issn|ean|upc|gtin|sscc|barcode|timestamp|unix|epoch|build|revision|booking|reservation|customer|account|contract|policy|meter|device|message|session|request|job|run|record|row|offset|sequence|hash|uid|id|po|rma|bestellung|bestellnummer|auftrag|auftragsnummer|rechnung|rechnungsnummer|sendung|sendungsnummer|lieferschein|vorgang|commande|facture|colis|suivi|pedido|factura|env[ií]o|ordine|fattura|spedizione|zam[oó]wienie|faktura)(?!\p{L})[^\p{L}\p{N}\n]{0,6}(?:(?:no|nr|num|number|nummer|num[eé]ro|n[uú]mero|id|code|key|was|is|of)(?!\p{L})[^\p{L}\p{N}\n]{0,6}){0,2}(?:[A-Z]{1,4}[-:#/]?)?$/iu;

/** Whether the text before a number is a label such as `order no.`, `invoice #` or `tracking number:`. */
export function isNumbered(before: string): boolean {
  return NUMBERED.test(before);
}
