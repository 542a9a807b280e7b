import type { Command } from './command.js';
import { doctorCommand } from './doctor/doctor.command.js';
import { listCommand } from './events/list.command.js';
import { replayCommand } from './events/replay.command.js';
import { testCommand } from './events/test.command.js';
import { grantsCommand } from './grants/grants.command.js';
import { migrateCommand } from './migrate/migrate.command.js';
import { purgeCommand } from './purge/purge.command.js';
import { verifyCommand } from './verify/verify.command.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  migrateCommand,
  doctorCommand,
  grantsCommand,
  purgeCommand,
  verifyCommand,
  listCommand,
  replayCommand,
  testCommand,
];
