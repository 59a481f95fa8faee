export function importTool(name: string): Promise<unknown>
export function toolPath(file: string): string
