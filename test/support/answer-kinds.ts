/** Honest answers of a model, by kind, to measure what a stream holds back. */

const SENTENCES = [
  'The heater starts by itself as soon as the room is colder than the value on the dial. ',
  'If it stays cold, check whether the valve at the bottom is open, and turn it slowly to the left. ',
  'A short noise at the start is normal, because air leaves the pipes during the first minutes. ',
  'You should not cover the upper side, since the warm air has to rise without anything in its way. ',
  "Once a year, somebody ought to clean the filter; it's behind the small door (no tools are needed). ",
  'Most people do this in autumn - before the first cold night - and then forget about it until spring. ',
];

/** Prose in paragraphs of about this many characters. */
function prose(length: number, total: number): string {
  let text = '';
  let paragraph = '';
  for (let index = 0; text.length < total; index++) {
    paragraph += SENTENCES[index % SENTENCES.length] ?? '';
    if (paragraph.length < length) continue;
    text += `${paragraph.trimEnd()}\n\n`;
    paragraph = '';
  }
  return text;
}

/** Prose of a guide to a program, with names in code and emphasis. */
const TERMS = `${Array.from({ length: 6 }, () => 'Call `open()` first, and **never** from two threads; `read(name)` gives you `null` if there is nothing, so check it with `??` or an `if`. The option `--watch` restarts it (use *Ctrl+C* to stop), and `snake_case_names` are allowed in files that end in `.ts`. ').join('')}\n\n`;

const BULLETS = `Here is what to pack for three days in the mountains:

- **Clothes**: two warm layers, a rain jacket, and socks that dry quickly.
- **Food**: bread, cheese, nuts and dried fruit. Plan about 2,500 calories a day, and a little more on the second day, which is the longest one.
- **Water**: at least 2 liters for each person; there is no spring between the hut and the pass.
- **Papers**: your card of the alpine club, some cash, and the booking of the hut.
  - Print it, because there is often no reception.
  - Leave a copy at home.
- **First aid**: plasters, a bandage, and something against pain.

Before you leave:

1. Ask for the weather at 7 in the morning.
2. Tell somebody which way you take and when you want to be back.
3. Charge the phone, and switch it to the saving mode as soon as you start to walk.
4. Turn back in time: the last bus leaves at 18:40 on weekdays and at 17:10 on Sundays.

`;

const TABLE = `The three plans differ as follows.

| Feature | Basic plan | Team plan | Company plan |
|---------|:----------:|:---------:|-------------:|
| Price per month | free | 12 dollars a person | on request |
| Members | one | up to 50 | no limit |
| Storage | 5 GB | 100 GB for each member | 1 TB and more |
| Support | forum only | by mail within a day | by phone, around the clock |
| History of changes | 7 days | 90 days | no limit |
| Single sign-on | no | no | yes, with **SAML** and OIDC |
| Export of data | by hand | every week | every hour, also to your own bucket |
| Audit log | no | yes | yes |

Choose the second one if you are not sure.

`;

const NUMBERS = `| Month | Orders | Revenue | Cost | Margin | Share |
|-------|-------:|--------:|-----:|-------:|------:|
${['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October']
  .map(
    (month, index) =>
      `| ${month} | ${1200 + index * 37} | ${84210.5 + index * 1533.25} | ${51020 + index * 811} | ${(0.31 + index / 100).toFixed(3)} | ${8 + index}.${index} % |`,
  )
  .join('\n')}

Month,Orders,Revenue
${Array.from({ length: 12 }, (_, index) => `2024-${String(index + 1).padStart(2, '0')},${1200 + index * 37},${84210 + index * 1533}.50`).join('\n')}

`;

const CODE = `Use a small class that keeps the last results:

\`\`\`ts
import { readFile } from 'node:fs/promises';

export class Cache<Key, Value> {
  private readonly values = new Map<Key, { value: Value; until: number }>();

  constructor(private readonly load: (key: Key) => Promise<Value>) {}

  async get(key: Key, now = Date.now()): Promise<Value> {
    const found = this.values.get(key);
    if (found !== undefined && found.until > now) return found.value;
    const value = await this.load(key);
    this.values.set(key, { value, until: now + 60_000 });
    for (let index = 0; index < this.values.size; index++) this.evict(index);
    return value;
  }

  private evict(index: number): void {
    const names = ['first', "second", \`third\`][index % 3] ?? 'none';
    if (this.values.size > 1000 && names !== 'none') this.values.clear();
  }
}
\`\`\`

The same in Python, without a class:

\`\`\`python
def load(path: str, limit: int = 10) -> dict[str, list[int]]:
    result: dict[str, list[int]] = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, *values = line.strip().split(";")
            result[name] = [int(value) for value in values[:limit]]
    return result
\`\`\`

Run it with \`npm run start -- --watch\`, or call \`get()\` twice to see that \`load\` is called once.

`;

const JSON_TEXT = `${JSON.stringify(
  {
    name: 'Weekly report',
    owner: 'support team',
    active: true,
    filters: [
      { field: 'status', operator: 'in', values: ['open', 'waiting', 'closed'] },
      { field: 'priority', operator: '>=', values: [2] },
    ],
    columns: ['subject', 'customer', 'assigned to', 'last change'],
    schedule: { day: 'monday', hour: 7, zone: 'Europe/Berlin' },
    description:
      'All requests of the last week that are not solved, with the person who works on each of them.',
    items: Array.from({ length: 8 }, (_, index) => ({
      id: index + 1,
      title: `Request number ${index + 1} about a late parcel`,
      tags: ['parcel', 'late'],
      score: 0.25 + index / 10,
      note: null,
    })),
  },
  null,
  2,
)}

`;

const CHINESE = `你好！关于你的问题，下面是一个简单的说明。首先，请打开手机上的应用，进入“设置”页面；然后选择“通知”，把所有的开关都关闭。如果还是收到消息，可以重新启动手机，再试一次。

一般来说，系统会在几分钟之内更新设置。不过，如果网络不好，可能需要更长的时间，最多不超过24小时。请注意：关闭通知以后，你仍然可以在应用里看到全部的消息，包括订单、优惠和客服的回复。

常见的原因有三个：第一，应用的版本太旧；第二，手机的存储空间不足；第三，账户在别的设备上登录。我们建议先更新应用，再清理缓存，最后重新登录。使用Wi-Fi下载会更快，大约需要3分钟，文件大小是85 MB。

`;

const GERMAN = `Gerne erkläre ich Ihnen, wie die Rücksendung abläuft. Bitte verpacken Sie das Gerät möglichst in der Originalverpackung und legen Sie den Lieferschein bei. Für Geräte, die schwerer als 20 kg sind, holt ein Dienstleister das Paket bei Ihnen ab, z. B. am Nachmittag zwischen 14 und 18 Uhr.

Die Gewährleistungsansprüche bleiben davon unberührt. Innerhalb von vierzehn Tagen können Sie den Kaufvertrag ohne Angabe von Gründen widerrufen; das Widerrufsformular finden Sie auf der Rückseite der Rechnung. Danach gilt die gesetzliche Gewährleistung von zwei Jahren, während der wir das Gerät kostenlos reparieren oder austauschen. Die Überweisung des Kaufpreises erfolgt in der Regel nach fünf bis sieben Werktagen. Außerdem erhalten Sie eine Bestätigung per E‑Mail, sobald das Paket bei uns eingetroffen ist – bitte haben Sie etwas Geduld, denn in der Vorweihnachtszeit dauert die Bearbeitung länger als üblich.

`;

const LINKS = `You find the details in [the guide for new members](https://docs.example.com/guides/members), and the rules in [this page](https://docs.example.com/rules#guests). If you have read both, open [your profile](/settings/profile) and choose a name. People often ask whether they can change it later: yes, see [how to rename an account](https://docs.example.com/guides/rename "Rename"). For everything else there is https://forum.example.com/latest, where most questions are answered within an hour, or the chat at https://chat.example.com.

- [Install](https://docs.example.com/install) the program, and restart the computer.
- Read [the notes of the last version](https://docs.example.com/releases/notes?from=mail).
- Report errors [here](https://issues.example.com/new).

`;

const MATH = `The quadratic equation $ax^2 + bx + c = 0$ has two solutions if its discriminant $D = b^2 - 4ac$ is positive:

$$
x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}
$$

For $a = 1$, $b = -3$ and $c = 2$ we get $D = 9 - 8 = 1$, so $x_1 = 2$ and $x_2 = 1$. The sum of the first $n$ numbers is $\\sum_{k=1}^{n} k = \\frac{n(n+1)}{2}$, which one proves by induction: the step from $n$ to $n + 1$ adds $n + 1$ on both sides. The probability is $P(A \\cap B) = P(A) \\cdot P(B)$ if and only if the two events do not depend on each other, and the expected value of a die is $\\frac{1}{6}(1 + 2 + 3 + 4 + 5 + 6) = 3.5$.

`;

const MIXED = `## How to move the data

You need **about 30 minutes**. Nobody can log in meanwhile, so do it *at night* or on a weekend; see [the checklist](https://docs.example.com/move).

1. Stop the service: \`systemctl stop shop\`.
2. Make a copy:

   \`\`\`sh
   pg_dump --format=custom --file=/backup/shop.dump shop
   ls -lh /backup | tail -n 3
   \`\`\`

3. Compare the numbers:

| Table | Rows before | Rows after |
|-------|-------------|------------|
| orders | 10482 | 10482 |
| people | 977 | 977 |

> **Note:** the copy is about 3 times smaller than the database.

If a number differs, do not go on. Write down what happened, and ask "who changed the table last?" before you repeat the second step. It's fine to wait until Monday. 🙂

`;

/** Each kind, long enough that percentiles say something. */
export const ANSWER_KINDS: Readonly<Record<string, string>> = {
  'prose in paragraphs of 300 characters': prose(300, 6000),
  'prose in paragraphs of 900 characters': prose(900, 8000),
  'prose in paragraphs of 5,000 characters': prose(5000, 15_000),
  'prose with code and emphasis': TERMS.repeat(3),
  bullets: BULLETS.repeat(3),
  'a table of words': TABLE.repeat(4),
  'a table of numbers': NUMBERS.repeat(4),
  code: CODE.repeat(3),
  JSON: JSON_TEXT.repeat(2),
  Chinese: CHINESE.repeat(6),
  German: GERMAN.repeat(4),
  links: LINKS.repeat(4),
  math: MATH.repeat(4),
  mixed: MIXED.repeat(4),
};

/** What a stream held back, in UTF-16 units, at each received character. */
export interface Flow {
  readonly first: number;
  readonly p95: number;
  readonly p99: number;
  readonly longestBurst: number;
}

/** Measures a text that is pushed character by character; `push` returns what is released. */
export function flowOf(text: string, push: (character: string) => string): Flow {
  const held: number[] = [];
  let first = 0;
  let longestBurst = 0;
  let released = 0;
  for (let received = 1; received <= text.length; received++) {
    const { length } = push(text.charAt(received - 1));
    if (length > 0 && first === 0) first = received;
    longestBurst = Math.max(longestBurst, length);
    released += length;
    held.push(received - released);
  }
  held.sort((one, other) => one - other);
  const share = (part: number): number => held[Math.ceil(held.length * part) - 1] ?? 0;
  return { first, p95: share(0.95), p99: share(0.99), longestBurst };
}
