import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/**
 * A file that stands for as long as the first filling of one database is under way, and so tells of one that was cut
 * short. Each database has its own: what happened to one says nothing about another.
 */
export class FirstFill {
  private constructor(private readonly file: string) {}

  /** `database` tells apart what does not lie at `place`. */
  static of(place: string, database?: string): FirstFill {
    const mark =
      database === undefined ? '' : `-${createHash('sha256').update(database).digest('hex').slice(0, 12)}`;
    return new FirstFill(`${place}${mark}.filling`);
  }

  get isUnderWay(): boolean {
    return existsSync(this.file);
  }

  begin(): void {
    writeFileSync(this.file, 'This database is being filled for the first time.\n');
  }

  end(): void {
    rmSync(this.file, { force: true });
  }
}
