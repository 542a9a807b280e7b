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
  // `Session operator` stands for a cookie, which the guard of the host has to read.
  const [scheme, name] = request.headers.authorization?.split(' ') ?? [];
  if (scheme === 'Session') request.session = { user: PEOPLE[name] };
  else request.user = PEOPLE[name];
  next();
});
process.once('disconnect', () => void application.close());
await application.listen(0, '127.0.0.1');
process.send(await application.getUrl());
