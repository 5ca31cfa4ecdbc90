import { at, stringAt, type ToolSpec } from '../model';
import { bounded } from './bounded';

/** Responses name a function tool itself, chat completions under `function`; a provider's own tool is its type. */
export function toolSpecs(tools: readonly unknown[]): ToolSpec[] {
  return tools.flatMap((tool) => {
    const spec = at(tool, 'function') ?? tool;
    const name = stringAt(spec, 'name') ?? ownType(tool);
    if (name === undefined) return [];
    const description = stringAt(spec, 'description');
    const parameters = at(spec, 'parameters') ?? undefined;
    return [
      {
        name,
        ...(description === undefined ? {} : { description }),
        ...(parameters === undefined ? {} : { parameters: bounded(parameters) }),
      },
    ];
  });
}

function ownType(tool: unknown): string | undefined {
  const type = stringAt(tool, 'type');
  return type === 'function' ? undefined : type;
}
