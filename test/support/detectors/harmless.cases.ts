import { NO_PERSONAL_DATA } from './personal-data.cases.js';
import { NO_SECRETS } from './secret.cases.js';

/** Each `#` is a digit. The digits are fixed: they come from a linear congruential sequence. */
const TEMPLATES: readonly string[] = [
  'Order ########## has shipped.',
  'Your order number is 1##-#######-#######.',
  'order no. ################ was placed on Monday',
  'Order #: ###-########',
  'Invoice INV-######## is due on 30 June.',
  'invoice number 2024##########',
  'Invoice no. ######-#######: paid in full.',
  'Please quote reference ############ in your mail.',
  'Ref. ################# (three items)',
  'Tracking number: 1Z##########',
  'tracking 94################## is on its way',
  'Tracking: ####################',
  'Parcel ############## arrives tomorrow.',
  'Shipment 00340######## left the warehouse.',
  'AWB ###-########',
  'Waybill number ###########, two boxes',
  'The timestamp is 17########.',
  'timestamp: 17###########',
  'created_at=17##############',
  '{"ts": 17#################, "ok": true}',
  'Backup 20240#1#1#2#3# is complete.',
  '2024-0#-1#T1#:2#:3#.######Z',
  'log 2024051#_1#####.txt',
  'Ticket ########: printer is out of paper.',
  'See case 500########## in the help desk.',
  'Transaction ID ################## failed.',
  'transaction: ####-####-######',
  'The serial number is ##############.',
  'Serial: SN############',
  'batch ########## of ########## items',
  'SKU ############ is sold out.',
  'EAN 40########### is on the label.',
  'ISBN 978-3-##-######-#',
  'UPC ############ scanned twice',
  'IMEI ############### is locked.',
  'Job ############# finished in 12 s.',
  'build ##########.#',
  'row_id = ################',
  '"id": "################",',
  '"user_id": ##################,',
  '| ######## | ########## | 12.50 |',
  '- **Order:** ##########',
  '- **Invoice:** `##########`',
  '**Tracking number**: 92##################',
  'The meter reads ######## kWh.',
  'Customer number ##########, contract ########.',
  'Booking code ########## for two nights.',
  'Policy 10########## was renewed.',
  'Bestellnummer ########## wurde versandt.',
  'Rechnung Nr. 2024######## liegt bei.',
  'Sendungsnummer 00340###############',
  'Numéro de commande : ############',
  'Pedido n.º ########## en camino.',
  'population 1 ### ### ###',
  'the sum is ###,###,###.## in total',
  'revenue of ########## over four quarters',
  'offset 0x######## length ########',
  'SELECT * FROM orders WHERE id = ############;',
  'https://shop.a.example/orders/############/items',
  'GET /v1/reports/################?page=2',
];

function numbered(): readonly string[] {
  let state = 20_240_506;
  const digit = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String(Math.floor(state / 65_536) % 10);
  };
  // The `#` of `Order #:` is not a digit.
  const fill = (template: string): string => template.replaceAll(/(?<! )#|#(?=#)/g, digit);
  return TEMPLATES.flatMap((template) => Array.from({ length: 5 }, () => fill(template)));
}

/** Orders, invoices, parcels, timestamps and the like, with numbers of 8 to 19 digits. */
export const HARMLESS_NUMBERS: readonly string[] = numbered();

/** Texts without personal data or secrets. */
export const HARMLESS: readonly string[] = [
  ...HARMLESS_NUMBERS,
  ...NO_PERSONAL_DATA,
  // Some contain an address, which is not a secret.
  ...NO_SECRETS.filter((text) => !text.includes('@')),
];
