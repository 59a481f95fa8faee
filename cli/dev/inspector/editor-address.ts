import type { DevView } from '../../../sdk/engine/inspector/model.js'

/** Opens a place of a file in Visual Studio Code, and in editors that accept its addresses. */
const ofVsCode = 'vscode://file{file}:{line}:{column}'

/** The address that opens an editor: of `VCLUSTER_PLUGIN_EDITOR`, or of Visual Studio Code. */
export function editorAddress(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Pick<DevView, 'editor' | 'folder'> {
  return { editor: env.VCLUSTER_PLUGIN_EDITOR || ofVsCode, folder: process.cwd() }
}
