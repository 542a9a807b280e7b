import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** A file that stands beside the data for as long as their first filling is under way, and so tells of one that was cut short. */
export class FirstFill {
  constructor(private readonly file: string) {}

  get isUnderWay(): boolean {
    return existsSync(this.file);
  }

  begin(): void {
    writeFileSync(this.file, 'This data folder is being filled for the first time.\n');
  }

  end(): void {
    rmSync(this.file, { force: true });
  }
}
