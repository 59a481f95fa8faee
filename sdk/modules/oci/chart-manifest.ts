// The manifest of a Helm chart in a registry:
// https://helm.sh/docs/topics/registries/#oci-feature-deprecation-and-behavior-changes
import * as z from 'zod'
import { RegistryError } from './registry-error.js'

/** The media type of manifests, also in the `Accept` header. */
export const manifestType = 'application/vnd.oci.image.manifest.v1+json'
const configType = 'application/vnd.cncf.helm.config.v1+json'
const chartTypes = [
  'application/vnd.cncf.helm.chart.content.v1.tar+gzip',
  'application/tar+gzip', // Before helm 3.7.
]

const layer = z.object({ mediaType: z.string(), digest: z.string(), size: z.number() })
const manifestSchema = z.object({
  mediaType: z.string().optional(),
  config: z.object({ mediaType: z.string() }),
  layers: z.array(layer),
})

/** The archive of a chart in a registry. */
export interface ChartLayer {
  /** Its digest, as `sha256:<hex>`. */
  readonly digest: string
  readonly size: number
}

/**
 * The one layer with the archive of a chart. Throws a {@link RegistryError} for something else; `name` is that of the
 * manifest.
 */
export function chartLayerOf(manifest: unknown, name: string): ChartLayer {
  const { data } = manifestSchema.safeParse(manifest)
  if (!data || (data.mediaType ?? manifestType) !== manifestType)
    throw new RegistryError(
      `${name} is not the manifest of a chart, but of type ${quotedMediaType(manifest)}`,
    )
  if (data.config.mediaType !== configType)
    throw new RegistryError(
      `${name} is not a Helm chart: its configuration is ${quoted(data.config.mediaType)}, expected ${configType}`,
    )
  const chartLayers = data.layers.filter(({ mediaType }) => chartTypes.includes(mediaType))
  const [first] = chartLayers
  if (!first || chartLayers.length > 1)
    throw new RegistryError(`${name} has ${chartLayers.length} layers of type ${chartTypes[0]}, expected one`)
  if (!/^sha256:[0-9a-f]{64}$/.test(first.digest))
    throw new RegistryError(
      `${name}: the digest of its chart is ${quoted(first.digest)}, expected sha256:<hex>`,
    )
  return { digest: first.digest, size: first.size }
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 100))
const quotedMediaType = (manifest: unknown) =>
  quoted(String((Object(manifest) as { mediaType?: unknown }).mediaType ?? 'unknown'))
