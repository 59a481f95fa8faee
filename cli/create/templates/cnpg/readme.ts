import { archiveFile, claimParameter } from './archive.js'

/** README.md of a plugin for CloudNativePG: the files, and the commands in the order of their use. */
export const readmeFile = (name: string, plugin: string) => `# ${name}

A plugin for [CloudNativePG](https://cloudnative-pg.io), \`${plugin}\`: it labels the Pods of a Cluster with its team and tier,
adds a sidecar to those of the highest tier, and refuses Clusters whose parameters do not fit.

\`\`\`sh
npm install
npm run dev        # runs the plugin with a simulated operator, and shows the patches of its hooks; needs no cluster
npm test           # tests the hooks
npm run types      # checks the types
npm run lint       # checks the types, and finds promises without await; installs its linter first
npm run format     # formats the sources
\`\`\`

| file | content |
|---|---|
| \`src/hooks.ts\` | the hooks: start here |
| \`src/plugin.ts\` | the name of the plugin, and its parameters |
| \`src/hooks.test.ts\` | the tests |
| \`src/main.ts\` | starts the plugin |
| \`samples/\` | the Clusters of \`npm run dev\` |
| \`Dockerfile\` | the image; \`npm run bundle\` makes its content |
| \`tools/package.json\` | the linter and the formatter |
| \`.vscode/launch.json\` | starts \`dev\` and the tests under the debugger of VS Code |
| \`.vcluster-plugin-template.json\` | the templates of this project; \`npx vcluster-plugin upgrade\` says what changed in them since |

Change \`tier: gold\` to \`tier: platinum\` in \`samples/with-a-sidecar.yaml\` while \`npm run dev\` runs: the Cluster is refused.
\`npm run dev -- --once\` fails if a Cluster of the samples is refused.

Choose a name under a domain of yours in \`src/plugin.ts\` and in \`samples/\` before others use the plugin: Clusters name it.

## Archive WAL

The program is both the plugin next to the operator and a sidecar next to Postgres. These lines archive the WAL of Clusters on a
volume. The sidecar has the mounts and the environment of Postgres (\`sharesPostgres\`), because instances name files below \`PGDATA\`.

\`src/archive.ts\`, a new file:

\`\`\`ts
${archiveFile(name)}\`\`\`

Add a parameter to the schema in \`src/plugin.ts\`:

\`\`\`ts
${claimParameter}
\`\`\`

Import the function in \`src/hooks.ts\`, and call it at the end of \`register\`:

\`\`\`ts
import { registerArchive } from './archive.js'
\`\`\`

\`\`\`ts
registerArchive(plugin)
\`\`\`

A Cluster that is archived sets \`isWALArchiver: true\` in its entry in \`spec.plugins\`, for one plugin only. The
PersistentVolumeClaim must exist in its namespace, with the access mode \`ReadWriteMany\`, because each instance mounts it. The SDK's
guide of the services of a plugin explains the hooks. Its example \`cnpg-wal-archive\` also restores a
Cluster from the archive of another one.

## On a cluster

The cluster needs CloudNativePG and cert-manager.

\`\`\`sh
npm run image
npm run --silent manifest | kubectl apply --server-side -f -
npm run --silent doctor       # compares the objects with what the operator expects
kubectl apply -f samples/with-defaults.yaml
\`\`\`

The cluster's nodes need the image. Either push it to a registry and pass its name: \`npm run --silent manifest -- --image
registry.example.com/${name}:v1\`. Or load it into the cluster (\`kind load docker-image ${name}:dev\`).
`
