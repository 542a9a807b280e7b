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

/** One text of `length` characters. */
export function longText(/** @type {number} */ length) {
  return chatTexts(Math.ceil(length / 100))
    .join('\n')
    .slice(0, length);
}
