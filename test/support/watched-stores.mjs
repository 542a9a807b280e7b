// Plain JavaScript, because the fault checks run it in separate processes against the built package.

/**
 * The same stores. `watch` is called at each step of an approval; an exception of `watch` fails the step.
 *
 * @template {object} Stores
 * @param {Stores} stores
 * @param {(step: string, approvalId: number) => unknown} watch
 * @returns {Stores}
 */
export function watchedStores(stores, watch) {
  return replaced(stores, { approvals: replaced(stores.approvals, watchedSteps(stores.approvals, watch)) });
}

/** Before these commands, and before their evidence; the others are only seen when they commit. */
const BEFORE = {
  claim: 'checked',
  claimAgain: 'claiming again',
  renew: 'renewing',
  finish: 'returned',
  markNotified: 'handlers returned',
};

/** After commands that record nothing. */
const AFTER = {
  claim: 'claimed',
  claimAgain: 'claimed',
  renew: 'renewed',
  claimNotification: 'outcome claimed',
};

function watchedSteps(store, watch) {
  const committing = (evidence) => (approval, step) => {
    watch(`committing ${approval.status}`, approval.id);
    return evidence(approval, step);
  };
  return {
    park: async (call, evidence, maxOpen) => {
      const parked = await store.park(call, committing(evidence), maxOpen);
      if (parked?.created === true) watch(`committed ${parked.approval.status}`, parked.approval.id);
      return parked;
    },
    change: async (id, command, evidence) => {
      const { kind } = command;
      if (BEFORE[kind] !== undefined) watch(BEFORE[kind], id);
      const change = await store.change(id, command, committing(evidence));
      const isRecorded = change?.kind === 'changed' && change.step !== null;
      const isDone = change?.kind === 'changed' || kind === 'renew';
      if (isRecorded) watch(`committed ${change.approval.status}`, id);
      else if (isDone && AFTER[kind] !== undefined) watch(AFTER[kind], id);
      return change;
    },
  };
}

/** The same object with other members; methods keep their `this`. */
function replaced(whole, members) {
  return new Proxy(whole, {
    get: (target, name) => {
      if (Object.hasOwn(members, name)) return members[name];
      const member = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
