import { useState } from 'preact/hooks';
import { announce } from './announcer.js';
import { Icon } from './icon.js';

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce('Copied.');
    } catch {
      announce('The browser did not allow copying.');
    }
  };
  return (
    <button type="button" class="ghost small" onClick={() => void copy()} onBlur={() => setCopied(false)}>
      <Icon name="copy" />
      {isCopied ? 'Copied' : label}
    </button>
  );
}
