import type { DeliveredEvent } from '#contracts/events/event-sink.js';
import { owaspOfEvent } from '#contracts/screening/owasp.js';
import { eventData, sentenceOf } from './event-format.js';

const VERSION = '1.8.0';
const OTHER = 99;

const SEVERITIES = {
  low: [1, 'Informational'],
  medium: [3, 'Medium'],
  high: [4, 'High'],
  critical: [5, 'Critical'],
} as const;

/** Events about findings of a control. All others are about actions of people. */
const FINDINGS: ReadonlySet<string> = new Set([
  'guardrails.injection.observed',
  'guardrails.injection.blocked',
  'guardrails.tool.rejected',
  'guardrails.tool.denied',
  'guardrails.tool.frozen',
  'guardrails.tool.parked',
  'guardrails.tool.would_park',
  'guardrails.policy.denied',
  'guardrails.policy.would_deny',
  'guardrails.output.sanitized',
]);

/** The API activity of an event. Any other event is "Other" with its name. */
const ACTIVITIES: Readonly<Record<string, readonly [id: number, name: string]>> = {
  'guardrails.settings.changed': [3, 'Update'],
  'guardrails.approval.decided': [3, 'Update'],
  'guardrails.retention.applied': [4, 'Delete'],
};

type OcsfDocument = Readonly<Record<string, unknown>>;

/** OCSF 1.8: a Detection Finding (2004) for what controls found, API Activity (6003) for settings and decisions. */
export function ocsfDocument(event: DeliveredEvent): OcsfDocument {
  return FINDINGS.has(event.name) ? detectionFinding(event) : apiActivity(event);
}

function detectionFinding(event: DeliveredEvent): OcsfDocument {
  const { payload, id, name, occurredAt, link, content } = event;
  const rule = text(payload['rule_id']);
  return {
    ...base(event, 2, 'Findings', 4, 'Detection Finding', [1, 'Create'], ['security_control']),
    ...dispositionOf(event),
    is_alert: true,
    status_id: 1,
    status: 'New',
    finding_info: {
      uid: id,
      title: sentenceOf(event),
      types: [name],
      tags: [{ name: 'owasp', values: owaspOfEvent(name, rule) }],
      created_time: occurredAt.getTime(),
      ...(link !== null && { src_url: link }),
      ...(rule !== null && { analytic: { uid: rule, name: rule, type_id: 1, type: 'Rule' } }),
    },
    ...(rule !== null && { firewall_rule: { uid: rule, name: rule } }),
    ...(payload['tool'] !== undefined &&
      payload['tool'] !== null && { resources: [{ type: 'tool', name: text(payload['tool']) }] }),
    evidences: [{ data: evidenceData(event) }],
    ...(content !== null && { raw_data: content.prompt, raw_data_size: Buffer.byteLength(content.prompt) }),
  };
}

function dispositionOf({ name, payload }: DeliveredEvent): OcsfDocument {
  if (payload['outcome'] !== 'blocked')
    return { action_id: 3, action: 'Observed', disposition_id: 15, disposition: 'Detected' };
  if (name === 'guardrails.output.sanitized')
    return { action_id: 4, action: 'Modified', disposition_id: 11, disposition: 'Corrected' };
  return { action_id: 2, action: 'Denied', disposition_id: 2, disposition: 'Blocked' };
}

function apiActivity(event: DeliveredEvent): OcsfDocument {
  const { payload, id, name } = event;
  const keys = payload['keys'];
  return {
    ...base(event, 6, 'Application Activity', 3, 'API Activity', ACTIVITIES[name] ?? [OTHER, name], []),
    actor: actorOf(event),
    api: {
      operation: name,
      service: { name: 'nest-guardrails' },
      request: { uid: text(payload['request_id']) ?? id },
    },
    src_endpoint: { name: text(payload['application']) ?? 'nest-guardrails' },
    ...(Array.isArray(keys) && {
      resources: keys.map((key) => ({ type: 'setting', name: String(key) })),
    }),
    status_id: name === 'guardrails.approval.failed' ? 2 : 1,
    status: name === 'guardrails.approval.failed' ? 'Failure' : 'Success',
    unmapped: evidenceData(event),
  };
}

function base(
  event: DeliveredEvent,
  category: number,
  categoryName: string,
  classOfCategory: number,
  className: string,
  [activity, activityName]: readonly [number, string],
  profiles: readonly string[],
): OcsfDocument {
  const classUid = category * 1000 + classOfCategory;
  const [severity, severityName] = SEVERITIES[event.severity];
  return {
    category_uid: category,
    category_name: categoryName,
    class_uid: classUid,
    class_name: className,
    activity_id: activity,
    activity_name: activityName,
    type_uid: classUid * 100 + activity,
    type_name: `${className}: ${activityName}`,
    severity_id: severity,
    severity: severityName,
    time: event.occurredAt.getTime(),
    timezone_offset: 0,
    message: sentenceOf(event),
    metadata: {
      version: VERSION,
      uid: event.id,
      event_code: event.name,
      log_name: 'guardrails',
      original_time: event.occurredAt.toISOString(),
      product: { name: 'nest-guardrails', uid: 'nest-guardrails', vendor_name: 'nest-guardrails' },
      ...(profiles.length > 0 && { profiles }),
      ...(text(event.payload['run_id']) !== null && { correlation_uid: text(event.payload['run_id']) }),
    },
  };
}

/** The actor, or only the application if no user is known. */
function actorOf({ payload }: DeliveredEvent): OcsfDocument {
  const uid = text(payload['actor_id']) ?? text(payload['principal_id']);
  const application = text(payload['application']) ?? 'nest-guardrails';
  return uid === null ? { app_name: application } : { app_name: application, user: { uid, name: uid } };
}

/** The event data without a field in the schema. */
function evidenceData(event: DeliveredEvent): OcsfDocument {
  const { prompt: _prompt, ...facts } = eventData(event);
  return { ...facts, subject: event.subject };
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
