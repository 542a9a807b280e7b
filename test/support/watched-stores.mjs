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

function watchedSteps(store, watch) {
  const committing = (evidence) => (approval) => {
    watch(`committing ${approval.status}`, approval.id);
    return evidence(approval);
  };
  const committed = (approval) => {
    if (approval !== null) watch(`committed ${approval.status}`, approval.id);
    return approval;
  };
  return {
    park: async (call, evidence, maxOpen) => {
      const parked = await store.park(call, committing(evidence), maxOpen);
      if (parked?.created === true) committed(parked.approval);
      return parked;
    },
    decide: async (tokenHash, command) => {
      const decided = await store.decide(tokenHash, { ...command, evidence: committing(command.evidence) });
      if (decided.kind === 'decided' || decided.moved === true) committed(decided.approval);
      return decided;
    },
    claim: async (id, command) => {
      watch('checked', id);
      const objection = (approval) => {
        const decision = command.objection(approval);
        if (decision !== null) watch('committing superseded', id);
        return decision;
      };
      const claimed = await store.claim(id, { ...command, objection });
      if (claimed?.status === 'superseded') return committed(claimed);
      if (claimed !== null) watch('claimed', id);
      return claimed;
    },
    claimAgain: async (id, fence, leaseMs) => {
      watch('claiming again', id);
      const claimed = await store.claimAgain(id, fence, leaseMs);
      if (claimed !== null) watch('claimed', id);
      return claimed;
    },
    renew: async (id, fence, leaseMs) => {
      watch('renewing', id);
      const isHeld = await store.renew(id, fence, leaseMs);
      watch('renewed', id);
      return isHeld;
    },
    finish: async (id, fence, end, result, evidence) => {
      watch('returned', id);
      return committed(await store.finish(id, fence, end, result, committing(evidence)));
    },
    markUnknown: async (id, fence, result, evidence) =>
      committed(await store.markUnknown(id, fence, result, committing(evidence))),
    supersede: async (id, result, evidence) =>
      committed(await store.supersede(id, result, committing(evidence))),
    expire: async (id, evidence) => committed(await store.expire(id, committing(evidence))),
    resolve: async (id, command) =>
      committed(await store.resolve(id, { ...command, evidence: committing(command.evidence) })),
    claimNotification: async (id, leaseMs) => {
      const taken = await store.claimNotification(id, leaseMs);
      if (taken !== null) watch('outcome claimed', id);
      return taken;
    },
    markNotified: async (id, status) => {
      watch('handlers returned', id);
      return store.markNotified(id, status);
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
