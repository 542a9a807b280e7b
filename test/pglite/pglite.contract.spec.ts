import { PGlite } from '@electric-sql/pglite';
import { createPgliteDriver, typeormStores } from '#stores/typeorm/index.js';
import { describeBackend } from '../stores/backend.suite.js';
import { EMPTY_TABLES } from '../stores/empty-tables.js';

let pglite: PGlite;

describeBackend({
  name: 'TypeORM on PGlite',
  async database() {
    pglite = await PGlite.create();
    return { drop: () => pglite.close() };
  },
  instances: () => [
    typeormStores({ driver: createPgliteDriver(pglite), migrate: true }),
    typeormStores({ driver: createPgliteDriver(pglite), migrate: true }),
  ],
  empty: () => pglite.exec(EMPTY_TABLES),
});
