const PREFIX = '/guardrails/api';

/** Calls the guardrails API and returns the data of the envelope. Throws its error message. */
async function guardrails(method, path, body) {
  const response = await request(method, PREFIX + path, body);
  const { data } = await response.json();
  if (!response.ok) throw new Error(messageOf(data.error));
  return data;
}

function messageOf({ message, fields = {} }) {
  return [message, ...Object.entries(fields).map(([name, reasons]) => `${name} ${reasons.join(', ')}.`)].join(
    ' ',
  );
}

async function chat(method, path, body) {
  const response = await request(method, `/chat${path}`, body);
  const data = await response.json();
  if (!response.ok) throw new Error(data.message ?? 'The server did not answer.');
  return data;
}

async function request(method, path, body) {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...(body !== undefined && json) }).catch(() => {
    throw new Error('The demo does not answer. Check that it is running.');
  });
  if (response.status === 401) location.assign('/login');
  return response;
}

export const ask = (text) => chat('POST', '', { text });
export const followUp = (approvalId) => chat('GET', `/approvals/${approvalId}`);
export const me = () => guardrails('GET', '/me');
export const overview = () => guardrails('GET', '/overview');
export const pendingApprovals = async () => (await guardrails('GET', '/approvals')).pending;
export const decide = (token, verdict, reason) =>
  guardrails('POST', `/approvals/${token}/${verdict}`, reason ? { reason } : {});
export const setMode = (control, mode) =>
  guardrails('PUT', '/settings', { settings: { [`modes.${control}`]: mode } });
