import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { describeStoreBackend } from '#stores/contract/describe-store-backend.js';
import { memoryStores } from './memory-stores.js';

describeStoreBackend(
  { describe, it, beforeEach, afterEach },
  {
    name: 'memory',
    async open() {
      const backend = memoryStores();
      await backend.open();
      return backend;
    },
    close: (backend) => backend.close(),
  },
);
