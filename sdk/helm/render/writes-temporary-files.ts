import { PluginError } from '../../engine/kube/error.js'
import { defaultRenderer } from './default-renderer.js'
import type { Chart, ChartRenderer } from './renderer.js'

/**
 * Whether a program writes temporary files to render charts: with this renderer, or with the default one for these
 * charts. If there is no renderer on this machine, the program will need a helm program, which writes temporary files.
 */
export async function writesTemporaryFiles(
  renderer: ChartRenderer | undefined,
  charts?: readonly Chart[],
): Promise<boolean> {
  if (renderer) return renderer.writesTemporaryFiles === true
  try {
    const renderer = await defaultRenderer(charts)
    await renderer.close()
    return renderer.writesTemporaryFiles === true
  } catch (error) {
    if (error instanceof PluginError && error.code === 'NO_RENDERER') return true
    throw error
  }
}
