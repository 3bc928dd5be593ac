/** The tools, resources and prompts that the official conformance suite calls, offered by filinglake's own server. */

import { setTimeout as pause } from 'node:timers/promises';
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Offer, offerOf, serverOf, type World } from '../../../../src/agents/index.ts';
import { FixtureTasks } from './fixture-tasks.ts';

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const WAV = Buffer.from(
  'RIFF\u0024\0\0\0WAVEfmt \u0010\0\0\0\u0001\0\u0001\0@\u001f\0\0@\u001f\0\0\u0001\0\u0008\0data\0\0\0\0',
  'latin1',
);

type Handler = (args: Record<string, unknown>, context: ServerContext) => Promise<object> | object;

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const strings = (...names: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
  required: names,
});
const form = (message: string, requestedSchema: object) =>
  inputRequired.elicit({ message, requestedSchema } as Parameters<typeof inputRequired.elicit>[0]);
const sample = (text: string, maxTokens = 100) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens });

const codec = createRequestStateCodec<{ step: number }>({ key: 'a key of the tests, of 32 bytes and more' });
const stateOf = ({ mcpReq }: ServerContext) => mcpReq.requestState<{ step: number }>();

/** Asks for one input, then says what came. */
const asks =
  (
    key: string,
    request: (args: Record<string, unknown>) => ReturnType<typeof form>,
    say: (answer: unknown) => string,
  ): Handler =>
  (args, { mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, key);
    if (view.kind === 'missing') return inputRequired({ inputRequests: { [key]: request(args) } });
    return said(say(view));
  };

/** Asks for the form's content until it is accepted. */
const asksForm =
  (key: string, message: string, field: string, say: (value: unknown) => string): Handler =>
  (_, { mcpReq }) => {
    const content = acceptedContent(mcpReq.inputResponses, key);
    return content?.[field] === undefined
      ? inputRequired({ inputRequests: { [key]: form(message, strings(field)) } })
      : said(say(content[field]));
  };

const DEFAULTS = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
};
const titled = (...titles: string[]) => titles.map((title, i) => ({ const: `value${i + 1}`, title }));
const ENUMS = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
  },
};

async function logs(context: ServerContext): Promise<CallToolResult> {
  for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
    await context.mcpReq.log('info', text);
    await pause(50);
  }
  return said('logged');
}

async function progresses({ mcpReq }: ServerContext): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined)
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
    await pause(50);
  }
  return said('done');
}

/** Two rounds of input, held together by a sealed state. */
async function rounds(context: ServerContext, last: number): Promise<object> {
  const step = (stateOf(context)?.step ?? 0) + (context.mcpReq.inputResponses === undefined ? 0 : 1);
  if (step >= last) return said('state-ok');
  const asked =
    step === 0
      ? { step1: form('Step 1: What is your name?', strings('name')) }
      : { step2: form('Step 2: What is your favorite color?', strings('color')) };
  const inputRequests =
    last === 1
      ? {
          confirm: form('Please confirm', {
            type: 'object',
            properties: { ok: { type: 'boolean' } },
            required: ['ok'],
          }),
        }
      : asked;
  return inputRequired({ inputRequests, requestState: await codec.mint({ step }, context) });
}

const MANY = {
  user_name: form('What is your name?', strings('name')),
  greeting: sample('Generate a greeting', 50),
  client_roots: inputRequired.listRoots(),
};

const TOOLS: Record<string, Handler> = {
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV.toString('base64'), mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  }),
  test_tool_with_logging: (_, context) => logs(context),
  test_logging_tool: (_, context) => logs(context),
  test_error_handling: () => ({ ...said('This tool intentionally returns an error for testing'), isError: true }),
  test_tool_with_progress: (_, context) => progresses(context),
  test_sampling: asks(
    'answer',
    ({ prompt }) => sample(String(prompt)),
    (view) => `LLM response: ${JSON.stringify(view)}`,
  ),
  test_elicitation: asks(
    'answer',
    ({ message }) => form(String(message), strings('username', 'email')),
    (view) => `User response: ${JSON.stringify(view)}`,
  ),
  test_elicitation_sep1034_defaults: asks('answer', () => form('Your details', DEFAULTS), elicited),
  test_elicitation_sep1330_enums: asks('answer', () => form('Your choices', ENUMS), elicited),
  test_missing_capability: (_, { mcpReq }) => {
    if (capabilitiesOf(mcpReq).sampling === undefined)
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    return said('declared');
  },
  test_streaming_elicitation: asksForm('answer', 'What is your name?', 'name', String),
  test_input_required_result_elicitation: asksForm(
    'user_name',
    'What is your name?',
    'name',
    (name) => `Hello, ${name}!`,
  ),
  test_input_required_result_sampling: asks(
    'capital_question',
    () => sample('What is the capital of France?'),
    (view) => JSON.stringify(view),
  ),
  test_input_required_result_list_roots: asks(
    'client_roots',
    () => inputRequired.listRoots(),
    (view) => JSON.stringify(view),
  ),
  test_input_required_result_request_state: (_, context) => rounds(context, 1),
  test_input_required_result_tampered_state: (_, context) => rounds(context, 1),
  test_input_required_result_multi_round: (_, context) => rounds(context, 2),
  test_input_required_result_multiple_inputs: async (_, context) => {
    const given = context.mcpReq.inputResponses ?? {};
    if (Object.keys(MANY).every((key) => key in given)) return said(JSON.stringify(given));
    return inputRequired({ inputRequests: MANY, requestState: await codec.mint({ step: 0 }, context) });
  },
  test_input_required_result_capabilities: (_, { mcpReq }) => {
    const has = capabilitiesOf(mcpReq);
    const inputRequests = {
      ...(has.elicitation && { user_name: MANY.user_name }),
      ...(has.sampling && { greeting: MANY.greeting }),
      ...(has.roots && { client_roots: MANY.client_roots }),
    };
    return inputRequired({ inputRequests });
  },
  greet: ({ name }) => said(`Hello, ${name}!`),
};

function capabilitiesOf({ envelope }: ServerContext['mcpReq']): Record<string, object | undefined> {
  return (
    (envelope as Record<string, Record<string, object>> | undefined)?.['io.modelcontextprotocol/clientCapabilities'] ??
    {}
  );
}

function elicited(view: unknown): string {
  const { action, content } = view as { action?: string; content?: object };
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
}

/** As the scenario about JSON Schema 2020-12 has it. */
const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const FILES: Record<string, object> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'watched' },
};

const PROMPTS: Record<
  string,
  { args: string[]; handler: (args: Record<string, string>, context: ServerContext) => object }
> = {
  test_simple_prompt: {
    args: [],
    handler: () => messages({ type: 'text', text: 'This is a simple prompt for testing.' }),
  },
  test_prompt_with_arguments: {
    args: ['arg1', 'arg2'],
    handler: ({ arg1, arg2 }) =>
      messages({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  test_prompt_with_embedded_resource: {
    args: ['resourceUri'],
    handler: ({ resourceUri }) =>
      messages(
        {
          type: 'resource',
          resource: { uri: resourceUri!, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  },
  test_prompt_with_image: {
    args: [],
    handler: () => messages(image, { type: 'text', text: 'Please analyze the image above.' }),
  },
  test_input_required_result_prompt: {
    args: [],
    handler: (_, { mcpReq }) => {
      const context = acceptedContent(mcpReq.inputResponses, 'user_context');
      return context === undefined
        ? inputRequired({
            inputRequests: { user_context: form('What context should the prompt use?', strings('context')) },
          })
        : messages({ type: 'text', text: String(context.context) });
    },
  },
};

function messages(...content: PromptMessage['content'][]): object {
  return { messages: content.map((one) => ({ role: 'user', content: one })) };
}

const JOBS = new FixtureTasks();

/** filinglake's own offer, and the suite's. */
function offer(world: World): Offer {
  const own = offerOf(world);
  const noted = { description: 'a fixture of the suite' };
  const tool = (name: string, call: Handler, inputSchema: object = { type: 'object' }) => ({
    listed: { name, ...noted, inputSchema: inputSchema as { type: 'object' } },
    call: async (params: { arguments?: Record<string, unknown> | undefined }, context: ServerContext) =>
      call(params.arguments ?? {}, context),
  });
  return {
    tools: [
      ...own.tools,
      ...Object.entries(TOOLS).map(([name, call]) => tool(name, call)),
      tool('json_schema_2020_12_tool', () => said('ok'), SCHEMA_2020),
      ...Object.entries(JOBS.tools()).map(([name, call]) => tool(name, call)),
    ],
    resources: [...own.resources, ...Object.entries(FILES).map(([uri]) => ({ uri, name: uri, ...noted }))],
    templates: [...own.templates, { uriTemplate: 'test://template/{id}/data', name: 'template' }],
    read(uri) {
      const id = /^test:\/\/template\/(.+)\/data$/.exec(uri)?.[1];
      if (id !== undefined) {
        const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
        return { uri, mimeType: 'application/json', text };
      }
      return FILES[uri] === undefined ? own.read(uri) : ({ uri, ...FILES[uri] } as ReturnType<Offer['read']>);
    },
    tasks: JOBS,
  };
}

/** filinglake's server with the fixtures, and with what its own tools don't need: prompts, completions, logs, subscriptions. */
export function fixtureServer(world: World): Server {
  const capabilities = { prompts: {}, completions: {}, logging: {}, resources: { subscribe: true } };
  const server = serverOf(offer(world), '1', () => {}, { capabilities, requestState: { verify: codec.verify } });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, { args }]) => ({
      name,
      description: 'a prompt of the suite',
      arguments: args.map((of) => ({ name: of, description: of, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const prompt = PROMPTS[params.name];
    if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no prompt ${params.name}`);
    return prompt.handler(params.arguments ?? {}, context) as { messages: PromptMessage[] };
  });
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris'], total: 1, hasMore: false },
  }));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}
