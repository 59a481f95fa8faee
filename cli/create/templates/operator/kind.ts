/** src/kinds.ts: a kind with a schema, a condition and columns. */
export const kindFile = `import { defineKind, type ObjectOf } from 'vcluster-plugin-sdk/operator'
import * as z from 'zod'

/** A Website: a number of equal replicas of an image. */
export const websites = defineKind({
  group: 'web.example.com',
  version: 'v1alpha1',
  kind: 'Website',
  spec: z.object({
    image: z.string().min(1).describe('The image of the Pods.'),
    replicas: z.int().min(0).max(100).default(1).describe('How many Pods run it.'),
  }),
  status: z.object({ ready: z.int().optional() }),
  conditions: ['Available'],
  columns: [
    { name: 'Replicas', path: '.spec.replicas', type: 'integer' },
    { name: 'Available', path: '.status.conditions[?(@.type=="Available")].status', type: 'string' },
  ],
})

/** An object of the kind. */
export type Website = ObjectOf<typeof websites>
`

/** src/website-controller.ts: a controller that owns a Deployment. */
export const controllerFile = `import { createHash } from 'node:crypto'
import { type Deployment, deployments } from 'vcluster-plugin-sdk'
import { controller } from 'vcluster-plugin-sdk/operator'
import { type Website, websites } from './kinds.js'

/** Makes a Deployment for each Website. It is deleted with the Website. */
export const websiteController = controller(websites, {
  owns: [deployments],
  async reconcile(ctx, website) {
    const live = await ctx.apply(deployments, deploymentFor(website))
    const ready = live.status?.readyReplicas ?? 0
    ctx.status.ready = ready
    const isReady = ready === website.spec.replicas
    ctx.condition('Available', isReady, isReady ? 'DeploymentReady' : 'DeploymentProgressing')
  },
})

/** The fields that the controller decides. All others are left to defaults and to other controllers. */
function deploymentFor({ metadata, spec }: { metadata: { name?: string } } & Pick<Website, 'spec'>): Deployment {
  const { name = '' } = metadata
  const labels = { website: labelOf(name) }
  return {
    metadata: { name },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: spec.image, ports: [{ name: 'http', containerPort: 8080 }] }] },
      },
    },
  }
}

/** A name as the value of a label: a name may have 253 characters, a label 63. */
function labelOf(name: string): string {
  if (name.length <= 63) return name
  return \`\${name.slice(0, 52)}-\${createHash('sha256').update(name).digest('hex').slice(0, 10)}\`
}
`

/** src/register.ts: registers the controllers. */
export const registerFile = `import type { Operator } from 'vcluster-plugin-sdk/operator'
import { websiteController } from './website-controller.js'

/** Registers the controllers. \`main.ts\` calls it, and tests call it with a test operator. */
export function register(operator: Operator): void {
  operator.register(websiteController)
}
`

/** src/main.ts: the program. */
export const mainFile = (name: string) => `import { createOperator } from 'vcluster-plugin-sdk/operator'
import { register } from './register.js'

const operator = createOperator({ name: '${name}' })
register(operator)
await operator.start()
`

/** samples.yaml: the objects that \`npm run dev\` applies. */
export const samplesFile = `apiVersion: web.example.com/v1alpha1
kind: Website
metadata:
  name: sample
  namespace: default
spec:
  image: nginxinc/nginx-unprivileged:1.29-alpine
  replicas: 2
`
