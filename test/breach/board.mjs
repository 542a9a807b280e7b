// Plays the scenes of `nest-guardrails breach` against other libraries, and prints a table for the guide: npm run x -- breach:board
//
// A scripted model reads every text of a scene with a tool, and then makes the call of the scene. The same tools are given
// to the bare AI SDK, and to an agent of LangChain whose middleware asks a person before every call. The person allows
// what only reads. A call of a scene has run when its tool was executed.
import { createRequire } from 'node:module';
import { AIMessage } from '@langchain/core/messages';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { tool as langChainTool } from '@langchain/core/tools';
import { Command, INTERRUPT, isInterrupted, MemorySaver } from '@langchain/langgraph';
import { generateText, jsonSchema, stepCountIs, tool as aiTool } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { createAgent, humanInTheLoopMiddleware } from 'langchain';
import { arrangements, play } from '../../dist/apps/cli/src/breach/play.js';
import { attacks, honestRuns } from '../../dist/apps/cli/src/breach/scenes.js';
import { EXAMPLE_POLICIES } from '../../dist/libs/contracts/src/policies/example-policies.js';

const require = createRequire(import.meta.url);
const versionOf = (name) => require(`${name}/package.json`).version;

const SCHEMA = { type: 'object', additionalProperties: true };
/** The name of the tool with which the model reads. */
const READ = 'read_text';

/** The turns of a scene: what the user says, and the calls that the model then makes. Another run has turns of its own. */
function runsOf({ domain, readings, call }) {
  const runs = [
    readings.filter(({ isEarlier }) => isEarlier),
    readings.filter(({ isEarlier }) => !isEarlier),
  ];
  return runs
    .filter((texts) => texts.length > 0)
    .map((texts, index, all) => {
      const turns = [{ says: 'Hello.', calls: [] }];
      for (const { from, text } of texts)
        if (from === 'user') turns.push({ says: String(text), calls: [] });
        else turns.at(-1).calls.push({ name: READ, args: { text } });
      if (index === all.length - 1) turns.at(-1).calls.push({ name: domain.tool, args: call });
      return turns;
    });
}

/** Resolves to whether the call of the scene ran, and to the calls for which a person was asked. */
async function withAiSdk(scene) {
  let hasRun = false;
  const tools = {
    [READ]: aiTool({ inputSchema: jsonSchema(SCHEMA), execute: ({ text }) => text }),
    [scene.domain.tool]: aiTool({
      inputSchema: jsonSchema(SCHEMA),
      execute: () => {
        hasRun = true;
        return 'done';
      },
    }),
  };
  for (const turns of runsOf(scene)) {
    const messages = [];
    for (const { says, calls } of turns) {
      messages.push({ role: 'user', content: says });
      const stopWhen = stepCountIs(calls.length + 1);
      const { response } = await generateText({ model: aiSdkModel(calls), tools, messages, stopWhen });
      messages.push(...response.messages);
    }
  }
  return { hasRun, asked: 0 };
}

function aiSdkModel(calls) {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const answers = calls.map(({ name, args }, index) => ({
    content: [
      { type: 'tool-call', toolCallId: `call-${index}`, toolName: name, input: JSON.stringify(args) },
    ],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage,
    warnings: [],
  }));
  const end = {
    content: [{ type: 'text', text: 'Done.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage,
    warnings: [],
  };
  return new MockLanguageModelV3({ doGenerate: async () => answers.shift() ?? end });
}

async function withLangChain(scene) {
  let hasRun = false;
  let asked = 0;
  const read = langChainTool(({ text }) => JSON.stringify(text), { name: READ, schema: SCHEMA });
  const act = langChainTool(
    () => {
      hasRun = true;
      return 'done';
    },
    { name: scene.domain.tool, schema: SCHEMA },
  );
  for (const turns of runsOf(scene)) {
    const model = new ScriptedModel();
    const agent = createAgent({
      model,
      tools: [read, act],
      middleware: [humanInTheLoopMiddleware({ interruptOn: { [READ]: true, [act.name]: true } })],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: 'thread' }, recursionLimit: 200 };
    for (const { says, calls } of turns) {
      model.answers = calls.map(
        (call, index) => new AIMessage({ content: '', tool_calls: [{ ...call, id: `call-${index}` }] }),
      );
      let state = await agent.invoke({ messages: [{ role: 'user', content: says }] }, config);
      while (isInterrupted(state)) {
        asked++;
        const [{ value }] = state[INTERRUPT];
        if (value.actionRequests.some(({ name }) => name === act.name)) break;
        const decisions = value.actionRequests.map(() => ({ type: 'approve' }));
        state = await agent.invoke(new Command({ resume: { decisions } }), config);
      }
    }
  }
  return { hasRun, asked };
}

class ScriptedModel extends BaseChatModel {
  answers = [];

  constructor() {
    super({});
  }

  _llmType() {
    return 'scripted';
  }

  bindTools() {
    return this;
  }

  async _generate() {
    const message = this.answers.shift() ?? new AIMessage('Done.');
    return { generations: [{ message, text: '' }] };
  }
}

const ATTACKS = attacks();
const HONEST = honestRuns();

async function resultsOf(playScene, scenes) {
  const results = [];
  for (const scene of scenes) results.push(await playScene(scene));
  return results;
}

async function rowOfOther(name, playScene) {
  const harmful = (await resultsOf(playScene, ATTACKS)).filter(({ hasRun }) => hasRun).length;
  const honest = await resultsOf(playScene, HONEST);
  const asked = honest.reduce((sum, result) => sum + result.asked, 0);
  return [name, harmful, honest.filter(({ hasRun }) => !hasRun).length, asked];
}

async function rowOfOurs(arrangement) {
  const harmful = (await play(ATTACKS, arrangement)).filter(Boolean).length;
  const waits = (await play(HONEST, arrangement)).filter((hasRun) => !hasRun).length;
  return [`nest-guardrails ${versionOf('../..')}, ${arrangement.name}`, harmful, waits, waits];
}

const rows = [
  await rowOfOther(`AI SDK ${versionOf('ai')}, tools executed`, withAiSdk),
  await rowOfOther(
    `LangChain ${versionOf('langchain')}, \`humanInTheLoopMiddleware\` for every tool`,
    withLangChain,
  ),
];
for (const arrangement of arrangements(EXAMPLE_POLICIES)) rows.push(await rowOfOurs(arrangement));

console.log(
  `| | Harmful calls that ran, of ${ATTACKS.length} | Honest calls that wait, of ${HONEST.length} | Questions to a person in the honest runs |`,
);
console.log('| --- | ---: | ---: | ---: |');
for (const row of rows) console.log(`| ${row.join(' | ')} |`);
