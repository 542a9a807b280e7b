import { Lexicon } from './lexicon.js';

export const DUTCH = new Lexicon(String.raw`
name: Dutch
script: Latin
common: het, een, van, niet, dat, voor, met, zijn, aan, ook, maar, wat, kan, de, en, is, op, je

used: met, onze, door
program: digitale hulp*
model: taalmodel*, ai-assistent*, ai-agent*, kunstmatige intelligentie
user: gebruiker*
you: jouw, uw, twoj*, twoja, twoje*
answer: samenvatting*, antwoord*, vertaling
condition: wanneer, als, voordat
reads: samenvat*, lees, leest, lezen, verwerk*, isle*
text: deze, dit, dit document
note: voor, beste, bestemd voor, let op, aan alle
must: moet, moeten, altijd, zorg dat
please: alsjeblieft, gelieve
send: stuur, sturen, verstuur, doorsturen, voeg, plaats, deel, kopieer, opublikuj*, skopiuj*, otworz*
change: keur, verwijder*, betaal, koop, boek, annuleer, wijzig, voer, uitvoeren, markeer, sluit, maak, bewaar, gebruik
say: zeg, antwoord, vermeld, beveel, beoordeel
discard: negeer, vergeet, negeren
not: niet, nooit, zonder, geen
conceal: {niet|zonder} {vermelden|noemen|melden|tonen|laten weten|te noemen|te melden}, stilletjes, hoeft niets te,
  hoeft niet te weten, zonder te vragen, zonder bevestiging, {niet|zonder dit te} vermelden, vermeld dit niet
secret: wachtwoord*, inloggegevens, sleutel*, klantgegevens
rules: instructie*, regels, opdracht, vraag, istek
past: vorige, eerdere
new_task: voortaan, vanaf nu
authority: {heeft|hebben} {goedgekeurd|toegestemd|ingestemd}, goedgekeurd
people: collega*, medewerker*, mensen
memory: geheugen

attack: aanval*, injectie*, kwaadaardig*, oplicht*, verdacht*, mislei*, verborgen*, geblokkeerd*, gedetecteerd*,
  gemeld*, waarschuw*, misbruik*
subject: beveiliging*, veiligheid*, training*, voorbeeld*, onderzoek*, filter*, bezpiecze*, szkoleni*, przykład*,
  badan*, filtr*, güvenlik*, filtre*
refused: niet {opgevolgd|uitgevoerd}*
reports:
  {schreef|stond|staat|bevat|bevatte|bijvoorbeeld|de zin|napisa*|zawiera*|na przykład|zdanie|yazıyor*|içeriyor*|örneğin|cümlesi|tertulis|berisi|misalnya|kalimat}
audience: {beste|geachte} {ouders|collega|klanten|allemaal|bewoners}*
`);
