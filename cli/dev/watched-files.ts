import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isSource } from './watch-sources.js'

/** Files of charts, definitions and `watches.yaml`. `dev` applies the samples itself. */
const isChartFile = (file: string) =>
  /\.(ya?ml|tpl|txt)$/.test(file) && !/^(host-)?samples\.ya?ml$/.test(file)

/**
 * Makes the function that decides by name which files restart an operator: its sources, and with a `watches.yaml` also
 * the files of its charts.
 */
export function watchedFiles(folder: string): (file: string) => boolean {
  const hasCharts = existsSync(join(folder, 'watches.yaml'))
  return (file) => isSource(file) || (hasCharts && isChartFile(file))
}
