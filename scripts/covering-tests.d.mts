/** The text of every TypeScript file by its path from the root of the project. */
export type SourceTexts = ReadonlyMap<string, string>

export function coveringTests(folder: string, files: SourceTexts): string[]

export function typeScriptFiles(root: string, folders: readonly string[]): SourceTexts
