import type { PluginDescription } from '../../../sdk/vcluster/plugin/description.js'
import { type StandaloneOptions, standaloneObjects } from '../standalone-objects.js'
import { imageAnnotation } from './artifact-hub.js'
import type { ChartDesign } from './chart-files.js'
import { imageValue, vclusterNameValue } from './chart-values.js'
import { podTokens, podValues, variablesIn } from './pod-values.js'
import { tokens } from './tokens.js'

/** The chart of a standalone plugin. A release belongs to the namespace of its vcluster. */
export function standaloneChart(
  description: PluginDescription,
  { image, vclusterName, pod }: Pick<StandaloneOptions, 'image' | 'vclusterName' | 'pod'>,
  version: string,
): ChartDesign {
  const { namespace } = tokens
  const objects = standaloneObjects(description, {
    namespace,
    image: tokens.image,
    vclusterName: tokens.vclusterName,
    pod: podTokens,
  })
  return {
    name: description.name,
    version,
    description: `The plugin ${description.name} of a vcluster, standalone`,
    annotations: imageAnnotation(description.name, image),
    values: [imageValue(image), vclusterNameValue(vclusterName), ...podValues(pod, variablesIn(objects))],
    templates: { plugin: objects.map((object) => ({ object })) },
  }
}
