import { href } from '../data/page.js';
import { Screen } from '../ui/screen.js';
import { Empty } from '../ui/states.js';

export function NotFound() {
  return (
    <Screen title="No such screen">
      <Empty title="The panel has no screen at this address.">
        <a href={href('/')}>Go to the overview</a>
      </Empty>
    </Screen>
  );
}
