import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Guardrails, GuardrailsApiModule, guardrailsRoute } from '../../dist/src/index.js';

const TOKEN = 'a-token-of-the-tests';

/** Starts a host with its own module options, gives it to `work`, and stops it. */
export async function withHost(options, work) {
  const module = GuardrailsApiModule.forRoot({
    ...options,
    settings: {
      'hitl.token_secret': 'a secret of the tests, thirty-two bytes and more',
      'events.stream': 'security',
      ...options.settings,
    },
  });
  const application = await NestFactory.create(module, {
    logger: ['error'],
    abortOnError: false,
    forceCloseConnections: true,
  });
  await application.listen(0, '127.0.0.1');
  try {
    await work({
      application,
      url: await application.getUrl(),
      guardrails: application.get(Guardrails, { strict: false }),
    });
  } finally {
    await application.close();
  }
}

/** A host whose guard requires a bearer token. */
export function bearerHost(work) {
  const guard = (request, response, next) => {
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return response.status(401).json({});
    request.user = { id: 'ops-1' };
    return next();
  };
  return withHost(
    { api: { enabled: true, middleware: [guard] }, panel: { enabled: true, auth: 'bearer' } },
    (host) => work({ ...host, token: TOKEN }),
  );
}

/** A host without authentication, for the payloads of a model and its tools. */
export function openHost(options, work) {
  const everybody = (request, _response, next) => {
    request.user = { id: 'ops-1' };
    next();
  };
  return withHost(
    { ...options, api: { enabled: true, middleware: [everybody] }, panel: { enabled: true } },
    work,
  );
}

/** A host with the roles of the demo: `x-user` names the user, and `viewer-1` may only read. */
export function hostWithRoles(options, work) {
  const may = ({ user }, writes) => user.id !== 'viewer-1' || !writes;
  const guard = {
    canActivate(context) {
      const request = context.switchToHttp().getRequest();
      request.user = { id: request.headers['x-user'] ?? 'ops-1' };
      return may(request, guardrailsRoute(context)?.writes === true);
    },
  };
  const permits = (context, { writes }) => may(context.switchToHttp().getRequest(), writes);
  return withHost(
    { ...options, api: { enabled: true, middleware: [guard], permits }, panel: { enabled: true } },
    work,
  );
}
