import assert from 'node:assert/strict';

export const cases = {
  async 'the first call of the queue is the mail of the customer list to an outside address'(stage) {
    const page = await stage.open('ops-1', '/approvals');
    await stage.park('Refund 1503 euros for order A-1197');
    const first = page.locator('.queue-item').first();
    await first.getByText('untrusted value', { exact: true }).waitFor();
    await page.keyboard.press('j');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^send_email: .*@/);
    await page.locator('.queue-end strong', { hasText: 'euros 1,503' }).waitFor();
    await page.keyboard.press('Enter');
    const notice = page.getByRole('note').filter({ hasText: 'Know this before you decide.' });
    const approve = page.getByRole('button', { name: 'Approve…' });
    await approve.waitFor();
    const isBefore = await notice.evaluate(
      (note, button) => (note.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
      await approve.elementHandle(),
    );
    assert.ok(isBefore);
    await page.getByRole('row', { name: /^to .*@/ }).waitFor();
  },
};
