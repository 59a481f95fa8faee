import { applyManifests, type Plugin, type RegisterContext } from 'vcluster-plugin-sdk'

const manifests = `
apiVersion: v1
kind: Namespace
metadata: { name: platform }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: welcome, namespace: platform }
data: { text: hello }
`

async function init(ctx: RegisterContext): Promise<void> {
  await applyManifests(ctx, manifests)
}

export function register(plugin: Plugin): void {
  plugin.register({ name: 'start-with-objects', init })
}
