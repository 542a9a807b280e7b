import type { MigrationState } from '../migrations/migration-runner.js';
import type { Privilege } from './table-rights.js';

/** What a database says of itself and of our tables in it. Facts only: what they mean is for the reader to say. */
export interface Inspection {
  readonly server: ServerFacts;
  readonly migrations: MigrationState;
  /** Columns that this version uses and the database has not, as `table.column`. */
  readonly missingColumns: readonly string[];
  /** Our tables that are there, */
  readonly tables: readonly TableFacts[];
}

export interface ServerFacts {
  /** As the server prints it. */
  readonly version: string;
  /** PostgreSQL 16.4 is 160004. */
  readonly versionNumber: number;
  readonly encoding: string;
  /** A standby, or a session that may only read. */
  readonly readOnly: boolean;
  readonly role: string;
  readonly superuser: boolean;
  /** The database's clock less ours; half of the time that asking took is the most it can be wrong by. */
  readonly clockSkewMs: number;
  readonly clockErrorMs: number;
}

export interface TableFacts {
  readonly name: string;
  readonly appendOnly: boolean;
  /** The connected role owns it, itself or by a role that it belongs to; a superuser owns everything. */
  readonly owned: boolean;
  /** What the stores need while an application runs, and the connected role may not do. */
  readonly lacks: readonly Privilege[];
  /** What retention needs, and the connected role may not do. */
  readonly lacksForRetention: readonly Privilege[];
  /** Of an append-only table: what the connected role may do, and no application should. */
  readonly exceeds: readonly Privilege[];
  /** Of a table with guards: what no trigger in force looks at. */
  readonly unguarded: readonly Privilege[];
}
