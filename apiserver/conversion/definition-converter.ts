import type { ClientConfig } from '../admission/matching/webhook.js'
import { fieldAt, type OpenObject, textAt } from '../base/object.js'
import { namesOf, versionsOf } from '../custom/definition/definition.js'
import { schemaOf } from '../custom/served-versions.js'
import type { Converter } from '../resources/converter.js'
import type { ServerParts } from '../server/context.js'
import { WebhookConverter } from './webhook-converter.js'

/** The surroundings of a definition's converter. */
export interface ConverterSurroundings {
  /** The version in which an object of a revision was stored. */
  readonly storedAs: (revision: number) => string | undefined
  readonly server: Pick<ServerParts, 'resolveService' | 'closing'>
}

/** The converter of a definition; undefined unless it converts by a webhook. */
export function converterOf(
  definition: OpenObject,
  { storedAs, server }: ConverterSurroundings,
): Converter | undefined {
  if (textAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook') return undefined
  const clientConfig = fieldAt(definition, 'spec', 'conversion', 'webhook', 'clientConfig') as ClientConfig
  const reviewVersions = fieldAt(definition, 'spec', 'conversion', 'webhook', 'conversionReviewVersions')
  const versions = versionsOf(definition)
  const storageVersion = versions.find(({ storage }) => storage)?.name ?? ''
  return new WebhookConverter({
    webhook: { clientConfig, reviewVersions, server },
    group: textAt(definition, 'spec', 'group'),
    kind: namesOf(definition, 'status').kind,
    storageVersion,
    versionOf: ({ revision, version }) => version ?? storedAs(revision) ?? storageVersion,
    schemaOf: (version) => schemaOf(versions.find(({ name }) => name === version)),
  })
}
