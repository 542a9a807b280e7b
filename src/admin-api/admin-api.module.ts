import {
  type DynamicModule,
  type INestApplication,
  type InjectionToken,
  type Provider,
  All,
  Controller,
  Module,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, NestFactory, RouterModule } from '@nestjs/core';
import { ApprovalStore } from '#contracts/stores/approvals.store.js';
import { AuditStore } from '#contracts/audit/store.js';
import { Clock } from '#contracts/common/clock.js';
import { GuardrailsError } from '#contracts/common/errors.js';
import { FirewallStore } from '#contracts/firewall/firewall.js';
import { ReviewStore } from '#contracts/audit/review.store.js';
import { HoldStore } from '#contracts/stores/retention.store.js';
import { OutboxStore } from '#contracts/events/outbox.js';
import { OutputStore } from '#contracts/output/output.js';
import { RunIndex } from '#contracts/audit/run-index.js';
import { SettingsStore } from '#contracts/stores/settings.store.js';
import { ApprovalEditor } from '#engine/tools/approval-editor.js';
import { ApprovalService } from '#engine/controls/approvals/approval-service.js';
import { AuditExports } from '#engine/record/audit-exports.js';
import { SinkAdmin } from '#engine/events/sink-admin.js';
import { Figures } from '#engine/metrics/figures.js';
import { Overview } from '#engine/record/overview.js';
import { Backtest } from '#engine/trials/backtest.js';
import { ExceptionProposals } from '#engine/trials/exception-proposals.js';
import { ToolRegistry } from '#engine/controls/firewall/tool-registry.js';
import { Holds } from '#engine/record/holds.js';
import { Sandbox } from '#engine/trials/sandbox.js';
import { SettingsPreview } from '#engine/settings/settings-preview.js';
import { Freezes } from '#engine/settings/freezes.js';
import { LiveSettings } from '#engine/settings/live-settings.js';
import type { Assembly } from '../options/assembly.js';
import { InnerApplicationLog } from '../common/host-log.js';
import { AuditService } from '../audit/audit.service.js';
import { LiveStreams } from '../events/live-streams.js';
import { Permissions, type PermissionResolver } from '../me/me.controller.js';
import { BESIDE_THE_PREFIX, UNDER_THE_PREFIX } from './controllers.js';
import { OpenApiController, OpenApiText } from './openapi.controller.js';
import { PanelController } from '../panel/panel.controller.js';
import { AccessChecks, AccessGuard, type AccessCheck } from '../http/access.guard.js';
import { ActorGuard, ActorSource, type ActorResolver } from '../http/actor.guard.js';
import type { ApiRequest, RequestedApproval } from '../http/api-request.js';
import { BodyGuard } from '../http/body.guard.js';
import { AllowedOrigins, CrossSiteGuard } from '../http/cross-site.guard.js';
import type { HandlerSource, RequestHandler } from './dispatcher.js';
import { EnvelopeInterceptor } from '../http/envelope.interceptor.js';
import { ErrorFilter } from '../http/error.filter.js';
import { HandlerTable } from './handler-table.js';
import { CurrentRequest } from '../http/parameters.js';
import { positiveId } from '../http/query-reader.js';
import { parentOf, type RouteMatch } from '../http/routes.js';
import { BodyValidationPipe } from '../http/validation.pipe.js';

/** Answers unknown paths and wrong verbs, behind the same gate as every route. */
@Controller()
class NotFoundController {
  @All('*path')
  refuse(@CurrentRequest() { match }: ApiRequest): never {
    if (match.kind !== 'wrong_verb')
      throw new GuardrailsError(
        'not_found',
        'No route has this path. Check the path; openapi.json beside the prefix, by default /guardrails/openapi.json, lists every route.',
      );
    throw new GuardrailsError(
      'method_not_allowed',
      `This path does not support this method. Use ${match.allowed.join(', ')}.`,
    );
  }
}

/** Guards run in this order. `NotFoundController` needs no body, so path and verb are checked before the body. */
const ENHANCERS: readonly Provider[] = [
  { provide: APP_GUARD, useClass: AccessGuard },
  { provide: APP_GUARD, useClass: CrossSiteGuard },
  { provide: APP_GUARD, useClass: BodyGuard },
  { provide: APP_GUARD, useClass: ActorGuard },
  { provide: APP_PIPE, useClass: BodyValidationPipe },
  { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
  { provide: APP_FILTER, useClass: ErrorFilter },
];

@Module({ controllers: [...UNDER_THE_PREFIX, NotFoundController] })
class RoutesUnderPrefix {}

@Module({ controllers: [...BESIDE_THE_PREFIX, OpenApiController] })
class RoutesBesidePrefix {}

@Module({ controllers: [PanelController] })
class PanelModule {}

@Module({ providers: [...ENHANCERS] })
class AdminApiModule {}

interface AdminApiOptions {
  readonly prefix: string;
  /** `null`: no panel is served. */
  readonly panelPath: string | null;
  readonly assembly: Assembly;
  readonly checks: readonly AccessCheck[];
  readonly actor: ActorResolver | undefined;
  readonly permits: PermissionResolver | undefined;
}

/**
 * The admin API is a separate Nest application: the host's global prefix, versioning, pipes, filters,
 * interceptors and guards do not apply to its routes, and its own do not apply to routes of the host. It has no
 * router; the dispatcher calls its handlers.
 */
export class AdminApi implements HandlerSource {
  private constructor(
    private readonly application: INestApplication,
    private readonly table: HandlerTable,
    private readonly assembly: Assembly,
  ) {}

  static async create(options: AdminApiOptions): Promise<AdminApi> {
    const table = new HandlerTable(options.prefix, options.panelPath);
    const application = await InnerApplicationLog.silence(async () => {
      const created: INestApplication = await NestFactory.create(moduleOf(options), table, {
        bodyParser: false,
        abortOnError: false,
      });
      return created.init();
    });
    table.assertComplete();
    return new AdminApi(application, table, options.assembly);
  }

  handlerOf(match: RouteMatch): RequestHandler {
    return this.table.handlerOf(match);
  }

  async approvalOf({
    token,
    approval_id: idText = '',
  }: Readonly<Record<string, string>>): Promise<RequestedApproval | null> {
    const { engine, stores } = this.assembly;
    const id = positiveId(idText);
    const byId = id.ok ? await stores.approvals.find(id.value) : null;
    const approval = token === undefined ? byId : await engine.approvalService.findByToken(token);
    if (approval === null) return null;
    const { tool, application, requirement } = approval;
    return { approvalId: approval.id, tool, application, group: requirement.group };
  }

  close(): Promise<void> {
    return this.application.close();
  }
}

/** The modules of the routes, each below its path, and everything that controllers inject. */
function moduleOf(options: AdminApiOptions): DynamicModule {
  const { prefix, panelPath } = options;
  const routes = [
    { path: prefix, module: RoutesUnderPrefix },
    { path: parentOf(`/${prefix}`), module: RoutesBesidePrefix },
    ...(panelPath === null ? [] : [{ path: panelPath, module: PanelModule }]),
  ];
  const providers = providersOf(options);
  return {
    module: AdminApiModule,
    global: true,
    imports: [...routes.map(({ module }) => module), RouterModule.register(routes)],
    providers: [...providers],
    exports: providers.map((provider) => (provider as { readonly provide: InjectionToken }).provide),
  };
}

function providersOf({ prefix, assembly, checks, actor, permits }: AdminApiOptions): readonly Provider[] {
  const { engine, stores, clock, configuration } = assembly;
  const streams = new LiveStreams(engine.stream, configuration.values['events.max_streams']);
  return [
    { provide: OpenApiText, useValue: new OpenApiText(prefix) },
    { provide: AccessChecks, useValue: new AccessChecks(checks) },
    { provide: AllowedOrigins, useValue: new AllowedOrigins(configuration.values['api.allowed_origins']) },
    { provide: ActorSource, useValue: new ActorSource(actor) },
    { provide: Permissions, useValue: new Permissions(permits) },
    { provide: Clock, useValue: clock },
    { provide: AuditStore, useValue: stores.audit },
    { provide: AuditService, useClass: AuditService },
    { provide: RunIndex, useValue: stores.runIndex },
    { provide: FirewallStore, useValue: stores.firewall },
    { provide: ReviewStore, useValue: stores.reviews },
    { provide: OutputStore, useValue: stores.output },
    { provide: OutboxStore, useValue: stores.outbox },
    { provide: ApprovalStore, useValue: stores.approvals },
    { provide: SettingsStore, useValue: stores.settings },
    { provide: ApprovalService, useValue: engine.approvalService },
    { provide: ApprovalEditor, useValue: engine.approvalEditor },
    { provide: LiveSettings, useValue: engine.settings },
    { provide: Overview, useValue: engine.overview },
    { provide: Figures, useValue: engine.figures },
    { provide: SinkAdmin, useValue: engine.events },
    { provide: LiveStreams, useValue: streams },
    { provide: Freezes, useValue: engine.freezes },
    { provide: HoldStore, useValue: stores.holds },
    { provide: Holds, useValue: engine.holds },
    { provide: AuditExports, useValue: engine.auditExports },
    { provide: ExceptionProposals, useValue: engine.exceptionProposals },
    { provide: Sandbox, useValue: engine.sandbox },
    { provide: SettingsPreview, useValue: engine.settingsPreview },
    { provide: Backtest, useValue: engine.backtest },
    { provide: ToolRegistry, useValue: engine.tools },
  ];
}
