export const ORDER_ID = { type: 'string', pattern: '^[A-Z]-[0-9]{4}$', description: 'Such as A-1182.' };

/** An owner key: whatever the model writes here, the firewall puts the authenticated customer in its place. */
export const CUSTOMER_ID = { type: 'string', description: 'Whose order it is.' };
