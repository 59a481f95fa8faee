import { mirrorDown, type Plugin, type RegisterContext, secrets } from 'vcluster-plugin-sdk'

export function register(plugin: Plugin, ctx: RegisterContext): void {
  const select = ({ metadata }: { metadata: { labels?: Readonly<Record<string, string>> | undefined } }) =>
    metadata.labels?.shared === 'true'
  plugin.register(mirrorDown(ctx, secrets, { select }))
}
