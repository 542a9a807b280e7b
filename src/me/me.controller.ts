import { Controller, type ExecutionContext, Get } from '@nestjs/common';
import {
  API_ROUTES,
  type ApiRoute,
  ROUTE_KEYS,
  routeName,
  type RouteName,
} from '#contracts/api/api.routes.js';
import { type MeData, meData } from '#contracts/api/me.js';
import { Clock } from '#contracts/common/clock.js';
import { OutboxStore } from '#contracts/events/outbox.js';
import { LiveSettings } from '#engine/settings/live-settings.js';
import { CurrentContext, CurrentReader } from '../http/parameters.js';
import { Answers } from '../openapi/answers.js';

/** A route that the caller may use or not, as `guardrailsRoute` describes it. */
export interface PermittedRoute {
  readonly name: RouteName;
  readonly writes: boolean;
  readonly bulk: boolean;
}

/** Decides what GET /me answers; it neither permits nor refuses a request. `null` or `undefined` means unknown. */
export type PermissionResolver = (
  context: ExecutionContext,
  route: PermittedRoute,
) => Permission | Promise<Permission>;

type Permission = boolean | null | undefined;

/** The permissions that GET /me shows. */
export class Permissions {
  constructor(private readonly permits: PermissionResolver = () => null) {}

  async of(context: ExecutionContext): Promise<MeData['permissions']> {
    const answers = ROUTE_KEYS.map(async (key) => {
      const { writes, bulk }: ApiRoute = API_ROUTES[key];
      const name = routeName(key);
      const permission: unknown = await this.permits(context, { name, writes, bulk: bulk === true });
      return [name, typeof permission === 'boolean' ? permission : null] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  }
}

@Controller('me')
export class MeController {
  constructor(
    private readonly permissions: Permissions,
    private readonly settings: LiveSettings,
    private readonly outbox: OutboxStore,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Answers('me', meData(ROUTE_KEYS.map(routeName)), {
    summary: 'The caller, what the caller may do, and the time of the server',
  })
  async show(
    @CurrentContext() context: ExecutionContext,
    @CurrentReader() actor: string | null,
  ): Promise<MeData> {
    const settings = this.settings.current();
    return {
      actor,
      permissions: await this.permissions.of(context),
      four_eyes: settings.get('hitl.four_eyes'),
      token_delivery: settings.get('hitl.token_delivery'),
      live: settings.get('events.stream'),
      sequence: await this.outbox.newest(),
      now: this.clock.now().toISOString(),
    };
  }
}
