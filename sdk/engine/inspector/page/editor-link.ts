import type { DevView } from '../model.js'

/** The address of a frame such as `sync (src/main.ts:12:3)` in the editor; undefined for another text. */
export function editorLink(
  frame: string,
  { editor, folder }: Pick<DevView, 'editor' | 'folder'>,
): string | undefined {
  const [, file = '', line = '', column = ''] = /^(?:.* \()?([^()]+):(\d+):(\d+)\)?$/.exec(frame) ?? []
  if (file === '') return undefined
  const path = /^(?:\/|[A-Za-z]:\\)/.test(file) ? file : `${folder}/${file}`
  const parts: Readonly<Record<string, string>> = { file: encodeURI(path), line, column }
  return editor.replaceAll(/\{(file|line|column)\}/g, (_, name: string) => parts[name] ?? '')
}
