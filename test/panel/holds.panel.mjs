import assert from 'node:assert/strict';

/** The dialog of a new hold, filled in and not sent. */
export async function holdDialog(page, principal, reason) {
  await page.getByRole('button', { name: 'Set a hold' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Principal' }).fill(principal);
  await dialog.getByLabel(/Reason/).fill(reason);
  return dialog;
}

export const cases = {
  async 'a hold is placed and released with a confirmation'(stage) {
    const page = await stage.open('ops-1', '/holds');
    const dialog = await holdDialog(page, 'customer-42', 'Case 7');
    await dialog.getByRole('button', { name: 'Set the hold' }).click();
    await page.getByText('Case 7').waitFor();

    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByText('Case 7').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByText(/Released by/).waitFor();
  },

  async 'two concurrent releases of a hold: the second shows who released it'(stage) {
    const { data } = await stage.api('ops-1', 'POST', '/holds', { run_id: 'run-7', reason: 'Case 8' });
    const page = await stage.open('ops-1', '/holds');
    const card = page.locator(`article[aria-label="Hold ${data.hold.id}"]`);
    await page.locator('header').getByText('live', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'Release' }).click();
    await stage.api('ops-2', 'POST', `/holds/${data.hold.id}/release`);
    await card.waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
    await page.getByText('ops-2 released it already.').waitFor();
  },

  async 'a period and a range of entries can be held, and a wrong range is explained'(stage) {
    const page = await stage.open('ops-1', '/holds');
    await page.getByRole('button', { name: 'Set a hold' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Records to hold').selectOption('entries');
    await dialog.getByLabel('First entry').fill('20');
    await dialog.getByLabel('Last entry').fill('10');
    await dialog.getByLabel(/Reason/).fill('Case 9');
    await dialog.getByRole('button', { name: 'Set the hold' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Last entry').fill('30');
    await dialog.getByRole('button', { name: 'Set the hold' }).click();
    await page.getByText('Entries 20 to 30').waitFor();
  },

  async 'a viewer reads why no hold can be placed'(stage) {
    const page = await stage.open('viewer-1', '/holds');
    await page.getByText('Your account (viewer-1) may read this').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Set a hold' }).isDisabled());
  },
};
