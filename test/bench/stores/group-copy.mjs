import { CopyIn } from './copy-in.mjs';
import { CONTENT, contentValues, EVIDENCE, evidenceValues } from './plain-rows.mjs';

const MAX_ROWS = 500;
/** Above the ids of all other writers and of the previous run. */
const firstId = () => Date.now() * 1_000;

/** The upper limit: writes all waiting rows with COPY, the fastest way into a table, in one commit. */
export class GroupCopy {
  #waiting = [];
  #running = false;
  #next = firstId();

  constructor(client) {
    this.client = client;
  }

  append(decision) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ decision, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run() {
    this.#running = true;
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_ROWS);
      try {
        await this.#write(batch.map(({ decision }) => decision));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
  }

  async #write(decisions) {
    const ids = decisions.map(() => this.#next++);
    const evidence = decisions.map((decision, index) => [
      ids[index],
      ...evidenceValues(decision, ids[index]),
    ]);
    const content = decisions.map((decision, index) => [ids[index], ...contentValues(decision)]);
    await this.client.query('begin');
    await this.#copy(`guardrails_audit_evidence (id, ${EVIDENCE})`, evidence);
    await this.#copy(`guardrails_audit_content (evidence_id, ${CONTENT})`, content);
    await this.client.query('commit');
  }

  #copy(table, rows) {
    const copy = new CopyIn(`copy ${table} from stdin`, rows.map(line).join(''));
    this.client.query(copy);
    return copy.done;
  }
}

function line(values) {
  return `${values.map(cell).join('\t')}\n`;
}

function cell(value) {
  if (value === null) return '\\N';
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  return value instanceof Date ? value.toISOString() : String(value);
}
