import { readdirSync, readFileSync } from 'node:fs';
import { Random } from '../fuzz/random.mjs';

/** Ordinary messages to an assistant, with words that also occur in the rules. */
const OPENINGS = [
  'Could you please',
  'Can you',
  'How do I',
  'I would like to',
  'Please',
  'What is the best way to',
  'Why can I not',
  'Tell me how to',
];
const ACTIONS = [
  'change the delivery address of my order',
  'write a short story about a lighthouse keeper who has forgotten how to swim',
  'show me the previous three invoices',
  'reset the password of my account',
  'translate this paragraph into German',
  'explain how photosynthesis works to a child',
  'summarise the text below in two sentences',
  'act as an interpreter between me and my doctor',
  'find a recipe for bread without yeast',
  'cancel the transfer that I made yesterday',
  'list all countries that border France',
  'print the first ten prime numbers in Python',
  'ignore the spelling mistakes and check the grammar only',
  'get a new card, since my old one was stolen',
];
const REASONS = [
  'I have tried it twice and it did not work.',
  'My order number is 48213 and I paid on 3 March 2024.',
  'It should be no longer than 200 words, and friendly in tone.',
  'The system says that the message could not be sent.',
  'Thank you so much for your help!',
  'I need it before 5 p.m., if that is possible.',
  'You are the best assistant I know.',
  'Here is the address: https://shop.example/orders?id=48213&from=mail.',
  'My colleague told me that there is a new setting for it.',
  'For example: a = 1, b = 2, and so on.',
  'Das wäre großartig, danke.',
];

/** Texts of about 200 characters, from a fixed seed. */
export function chatTexts(/** @type {number} */ count) {
  const random = new Random(4711);
  return Array.from({ length: count }, () => {
    const reasons = random.some(3, () => random.one(REASONS));
    return `${random.one(OPENINGS)} ${random.one(ACTIONS)}? ${reasons.join(' ')}`;
  });
}

/** Everyday prompts, and the beginnings of harmless English and German documents. */
export function honestTexts() {
  const read = (/** @type {string} */ path) =>
    readFileSync(new URL(`../eval/${path}`, import.meta.url), 'utf8');
  const prompts = Object.values(JSON.parse(read('classifier/texts/everyday.json'))).flat();
  const documents = readdirSync(new URL('../eval/embedded', import.meta.url))
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => read(`embedded/${name}`).trim().split('\n'))
    .map((line) => JSON.parse(line))
    .filter(({ label, lang }) => label === 0 && ['en', 'de'].includes(lang));
  return [...prompts, ...documents.map(({ text }) => text.slice(0, 200))];
}

/** One text of `length` characters. */
export function longText(/** @type {number} */ length) {
  return chatTexts(Math.ceil(length / 100))
    .join('\n')
    .slice(0, length);
}

/** Parts of documents that assistants receive: lists, code, data, addresses, letters of other scripts. */
const PARTS = [
  '## Returns\n\n- Parcels can be returned within **30 days**.\n- Keep the [receipt](https://shop.example/help/returns?lang=en).\n',
  '```ts\nexport async function total(items: readonly Item[]): Promise<number> {\n  return items.reduce((sum, { price, count }) => sum + price * count, 0);\n}\n```\n',
  '{"order":48213,"items":[{"sku":"A-17","count":2,"price":19.9}],"address":{"city":"K\\u00f6ln","zip":"50667"}}\n',
  '<table><tr><td>Total</td><td>39,80&nbsp;&euro;</td></tr></table>\n',
  'GET /orders/48213?expand=items%2Caddress HTTP/1.1\nAccept: application/json\nX-Request-Id: 7f3a9c0e51b24d6f\n',
  'Я заказал две лампы, а получил одну. Пожалуйста, проверьте заказ 48213.\n',
  '我订了两盏灯，只收到一盏。请检查订单48213。\n',
  'Bonjour, je n’ai reçu qu’une seule lampe ; pouvez-vous vérifier ma commande ?\n',
  'eyJvcmRlciI6NDgyMTMsInN0YXRlIjoiZGVsaXZlcmVkIiwiY291bnQiOjJ9\n',
];

/** Chat messages, documents of up to some kilobytes and attacks, from a fixed seed. */
export function mixedTexts(/** @type {number} */ count, /** @type {readonly string[]} */ attacks) {
  const random = new Random(815);
  const chats = chatTexts(200);
  const several = (/** @type {readonly string[]} */ texts, /** @type {number} */ most) =>
    Array.from({ length: 1 + random.below(most) }, () => random.one(texts));
  return Array.from({ length: count }, (_, index) => {
    if (index % 10 < 6) return several(chats, 3).join(' ');
    const parts = several(PARTS, 6).concat(several(chats, 8));
    return (index % 10 === 9 ? [...parts, random.one(attacks)] : parts).join('\n');
  });
}
