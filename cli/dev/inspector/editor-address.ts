import type { DevView } from '../../../sdk/engine/inspector/model.js'

/** The address that opens a file in Visual Studio Code, and in editors that accept its addresses. */
const vsCodeAddress = 'vscode://file{file}:{line}:{column}'

/**
 * The address that opens an editor, from `VCLUSTER_PLUGIN_EDITOR` or else for Visual Studio Code, and the working
 * folder.
 */
export function editorAddress(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Pick<DevView, 'editor' | 'folder'> {
  return { editor: env.VCLUSTER_PLUGIN_EDITOR || vsCodeAddress, folder: process.cwd() }
}
