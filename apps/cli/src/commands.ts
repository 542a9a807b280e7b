import type { Command } from './command.js';
import { doctorCommand } from './doctor/doctor.command.js';
import { migrateCommand } from './migrate/migrate.command.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [migrateCommand, doctorCommand];
