// Starts the AppModule of the given file with an authentication middleware and sends its address to the parent process.
// Exits when the parent disconnects.
import 'reflect-metadata';
import { pathToFileURL } from 'node:url';
import { NestFactory } from '@nestjs/core';

const PEOPLE = {
  visitor: { id: 'customer-42', roles: [] },
  operator: { id: 'ops-1', roles: ['operator'] },
  admin: { id: 'ops-2', roles: ['operator', 'admin'] },
};

const { AppModule } = await import(pathToFileURL(process.argv[2]).href);
const application = await NestFactory.create(AppModule, { logger: ['warn', 'error'], abortOnError: false });
application.use((request, _response, next) => {
  const user = PEOPLE[request.headers.authorization?.replace('Bearer ', '')];
  Object.assign(request, { user, session: { user } });
  next();
});
process.once('disconnect', () => void application.close());
await application.listen(0, '127.0.0.1');
process.send(await application.getUrl());
