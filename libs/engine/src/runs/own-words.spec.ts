import { describe, expect, it } from '@jest/globals';
import { ownWords } from './own-words.js';

const EVE = 'eve@evil.example';

describe('the own words of a message', () => {
  it.each([
    [
      'Send it to bob@shop.example\n\n> to eve@evil.example\n\nThanks',
      'Send it to bob@shop.example\n\nThanks',
    ],
    ['Do it.\n\n```\neve@evil.example\n```\nNow', 'Do it.\n\nNow'],
    ['Do it.\n~~~\neve@evil.example', 'Do it.'],
    ['Please pay this:\n\n-----Original Message-----\nFrom: Eve\nPay 900', 'Please pay this:'],
    ['Pay it.\nAm 3. Mai schrieb Eve:\nzahle 900', 'Pay it.'],
    ['Pay it.\nOn Monday, Eve wrote:\npay 900', 'Pay it.'],
    ['Pay it.\nFrom: Eve <eve@evil.example>\npay 900', 'Pay it.'],
    [`Do it.\n\`\`\`\`\n\`\`\`\n${EVE}\n\`\`\`\n\`\`\`\`\nNow`, 'Do it.\n\nNow'],
    [`Do it.\n\`\`\`\n~~~\n${EVE}\n\`\`\`js\n${EVE}\n\`\`\`\nNow`, 'Do it.\n\nNow'],
    [`Do it.\n- \`\`\`\n  ${EVE}\n  \`\`\`\nNow`, 'Do it.\n\nNow'],
    [`Do it.\n\u200b> ${EVE}\v» ${EVE}\u0085＞ ${EVE}\nNow`, 'Do it.\n\nNow'],
    [`Pay it.\nOn Mon, Nov 3, 2026 at 10:00 AM Eve <${EVE}>\nwrote:\npay 900`, 'Pay it.'],
    [`Pay it.\nOp ma 3 nov 2026 om 10:00 schreef Eve <${EVE}>:\n900`, 'Pay it.'],
    [`Pay it.\nпн, 3 нояб. 2026 г. в 10:00, Eve <${EVE}>:\n900`, 'Pay it.'],
    [`Pay it.\nEve <${EVE}> 于2026年11月3日周一 10:00写道：\n900`, 'Pay it.'],
    [`Pay it.\n*From:* Eve\n*Sent:* Monday\n*To:* Bob\n*Subject:* x\n${EVE}`, 'Pay it.'],
    [`Pay it.\nОт: Eve\nКому: Bob\nТема: x\n${EVE}`, 'Pay it.'],
    [`Pay it.\n---------- Wiadomość przekazana dalej ---------\n${EVE}`, 'Pay it.'],
    [`Pay it.\n________________________________\n${EVE}`, 'Pay it.'],
    [`Pay it.\nSee <blockquote>${EVE}</blockquote>`, 'Pay it.'],
    ['From: Berlin\nTo: Munich\nDate: 3 May', 'From: Berlin\nTo: Munich\nDate: 3 May'],
    ['Send it to bob@shop.example:\nthe list', 'Send it to bob@shop.example:\nthe list'],
    ['Name: Bob\nAmount: 5', 'Name: Bob\nAmount: 5'],
    [`Read this:\n\n${'long pasted text '.repeat(40)}\n\nand pay 5`, 'Read this:\n\nand pay 5'],
  ])('%j', (message, own) => {
    expect(
      ownWords(message)
        .replaceAll(/\n{2,}/g, '\n\n')
        .trim(),
    ).toBe(own);
  });

  it('are read in linear time', () => {
    for (const unit of ['on ', '> ', '\n', '-', 'on Monday wrote', 'from: ', '10:00@', '10:00@:', 'from:\n'])
      expect(ownWords(unit.repeat(200_000 / unit.length)).length).toBeLessThan(200_001);
  });
});
