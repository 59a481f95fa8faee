import type { FileChart } from '../chart/chart.js'

/**
 * Whether a file is in `crds/` of a chart or a subchart. A file in `templates/crds/`, or of a subchart named `crds`, is
 * not.
 */
export const isCrdsFile = (source: string): boolean => /^[^/]+(?:\/charts\/[^/]+)*\/crds\//.test(source)

/**
 * The files in `crds/` of a chart and its subcharts, as Helm names them. The files of a subchart with aliases appear
 * under each alias.
 */
export function crdsFilesOf(chart: FileChart, names = [chart.metadata.name]): string[] {
  const ownFiles = chart.files.filter(({ name }) => name.startsWith('crds/'))
  const { dependencies = [] } = chart.metadata
  const ofSubcharts = chart.subcharts.flatMap((subchart) => {
    const { name } = subchart.metadata
    const aliases = dependencies.flatMap((one) => (one.name === name && one.alias ? [one.alias] : []))
    const paths = [name, ...aliases].flatMap((called) => names.map((above) => `${above}/charts/${called}`))
    return crdsFilesOf(subchart, paths)
  })
  return [...ownFiles.flatMap((file) => names.map((name) => `${name}/${file.name}`)), ...ofSubcharts]
}
