import { arrayAt, at, isObject, stringAt, type JsonObject } from '../../model';
import { PolicyError, type Emission, type EmittedCall, type Policy } from '../policy';

/** An emission as it is written down in advance: arguments as an object, or as text, broken ones included. */
export interface ScriptedEmission {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly {
    readonly callId?: string;
    readonly name: string;
    readonly arguments: JsonObject | string;
  }[];
}

/** Emits what a script says, step by step. */
export function scriptedPolicy(emissions: readonly ScriptedEmission[], name = 'scripted'): Policy {
  return {
    name,
    emit: ({ step, onDelta }) => {
      const scripted = emissions[step];
      if (scripted === undefined) {
        return Promise.reject(
          new PolicyError(
            `The script has ${emissions.length} emissions, and this would be number ${step + 1}.`,
          ),
        );
      }
      const emission = emissionFrom(scripted);
      if (emission.text !== '') onDelta?.(emission.text);
      return Promise.resolve(emission);
    },
  };
}

function emissionFrom({ text = '', reasoning, toolCalls = [] }: ScriptedEmission): Emission {
  return {
    text,
    ...(reasoning === undefined ? {} : { reasoning }),
    toolCalls: toolCalls.map(({ callId, name, arguments: args }) => ({
      ...(callId === undefined ? {} : { callId }),
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    })),
  };
}

/**
 * Scripts out of a file: JSON or JSON lines, one emission each (`{"text", "toolCalls": [{"name", "arguments"}]}`), or whole
 * scripts (`{"emissions": [...]}`, or a list of emissions on one line). Chat messages of an assistant are read as well.
 * Throws an error that says where something is no emission.
 */
export function readScripts(text: string): Emission[][] {
  const scripts: Emission[][] = [];
  const lines: Emission[] = [];
  for (const { value, place } of jsonValues(text)) {
    const whole = scriptsIn(value, place);
    if (whole === undefined) lines.push(readEmission(value, place));
    else for (const script of whole) scripts.push(script);
  }
  if (lines.length === 0) return scripts;
  if (scripts.length > 0) throw new Error('The script mixes emissions and whole scripts.');
  return [lines];
}

/** The scripts a value holds, or undefined where it is one emission. */
function scriptsIn(value: unknown, place: string): Emission[][] | undefined {
  const list = Array.isArray(value) ? value : arrayAt(value, 'emissions');
  if (list === undefined) return undefined;
  const isListOfScripts = list.length > 0 && list.every((each) => arrayAt(each, 'emissions') !== undefined);
  if (isListOfScripts) return list.flatMap((each, index) => scriptsIn(each, `${place}[${index}]`) ?? []);
  return [list.map((each, index) => readEmission(each, `${place}[${index}]`))];
}

function readEmission(value: unknown, place: string): Emission {
  const calls = arrayAt(value, 'toolCalls') ?? arrayAt(value, 'tool_calls') ?? [];
  const said = at(value, 'text') ?? at(value, 'content') ?? '';
  if (!isObject(value) || typeof said !== 'string' || (said === '' && calls.length === 0)) {
    throw new Error(`${place} is not an emission: it needs "text", "toolCalls", or both.`);
  }
  const reasoning = stringAt(value, 'reasoning') ?? stringAt(value, 'reasoning_content');
  return {
    text: said,
    toolCalls: calls.map((call, index) => readCall(call, `${place}, call ${index}`)),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

function readCall(value: unknown, place: string): EmittedCall {
  const call = at(value, 'function') ?? value;
  const name = stringAt(call, 'name');
  const args = at(call, 'arguments') ?? {};
  if (name === undefined) throw new Error(`${place} has no name.`);
  const callId = stringAt(value, 'callId') ?? stringAt(value, 'id');
  return {
    ...(callId === undefined ? {} : { callId }),
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  };
}

/** The whole text as one value, or each of its lines. */
function jsonValues(text: string): { value: unknown; place: string }[] {
  try {
    return [{ value: JSON.parse(text), place: 'The script' }];
  } catch {
    return text.split('\n').flatMap((line, index) => {
      if (line.trim() === '') return [];
      const place = `Line ${index + 1}`;
      try {
        return [{ value: JSON.parse(line), place }];
      } catch {
        throw new Error(`${place} of the script is not JSON.`);
      }
    });
  }
}
