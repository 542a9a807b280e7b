/**
 * Rules on prompts that every language has for which its lexicon shows texts: `+ NAME: text`. The language follows the id of
 * the group.
 */
export const OTHER_LANGUAGES = String.raw`
group instruction_override
  description: Asks the assistant to ignore its instructions.
  rationale: The instructions before a prompt come from the developer, and legitimate requests do not ask to ignore them.
  severity: high
  tags: instruction_override, multilingual

  rule ignore_previous
    description: Asks to ignore the previous instructions; "previous" precedes "instructions".
    pattern: {unnegated}{ignore}{few 4}{earlier}{few 1}{instructions}

  rule ignore_orders
    description: Asks to ignore the earlier instructions; "previous" follows "instructions".
    pattern: {unnegated}{ignore}{few 3}{instructions}{few 2}{earlier}

  rule ignore_all
    description: Asks to ignore all instructions, or those of the assistant.
    pattern: {unnegated}{ignore}{few 1}{all}{few 1}{instructions}

  rule ignore_everything
    description: Asks to ignore everything that was said before.
    pattern: {unnegated}{ignore}{few 1}{everything}

  rule previous_ignored
    description: Asks that the previous instructions be ignored; the verb comes last.
    pattern: {earlier}{few 2}{instructions}{few 3}{ignore}

  rule all_ignored
    description: Asks that all instructions, or those of the assistant, be ignored; the verb comes last.
    pattern: {all}{few 1}{instructions}{few 2}{ignore}

group prompt_extraction
  description: Asks for the instructions of the assistant.
  rationale: The system prompt shows how the assistant is protected, and often contains internal facts.
  severity: high
  tags: prompt_extraction, multilingual

  rule reveal_own
    description: Asks to show the instructions of the assistant.
    pattern: {reveal}{few 2}{own}{few 2}{instructions}

  rule reveal_orders
    description: Asks to show the instructions of the assistant; "your" follows "instructions".
    pattern: {reveal}{few 2}{instructions}{few 1}{own}

  rule reveal_system_prompt
    description: Asks to show the system prompt.
    pattern: {reveal}{few 3}{system_prompt}

  rule own_revealed
    description: Asks for the instructions of the assistant; the verb comes last.
    pattern: {own}{few 2}{instructions}{few 2}{reveal}

  rule system_prompt_revealed
    description: Asks for the system prompt; the verb comes last.
    pattern: {system_prompt}{few 3}{reveal}

group role_override
  description: Asks for an assistant without rules.
  rationale: A role without rules is used to request what the assistant must refuse. A role alone does not match.
  severity: high
  tags: role_override, multilingual

  rule without_rules
    description: Gives a role, and says that it has no rules, filters or morals.
    pattern: {persona}{sentences 1}{unbound}

  rule rules_gone
    description: Says that there are no rules, filters or morals, and gives a role.
    pattern: {unbound}{sentences 1}{persona}

  rule special_mode
    description: Asks for a developer mode or a similar one, which the assistant does not have.
    pattern: {mode}
`;
