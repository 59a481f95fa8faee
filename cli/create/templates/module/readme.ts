/** README.md of an operator of Modules: the files, and the commands in the order of their use. */
export const readmeFile = (name: string) => `# ${name}

An operator of Modules: applications that are installed, put to sleep, woken and uninstalled. Each Module of this program is a web
server. The operator has the program in its code, and can load it as a file as well.

\`\`\`sh
npm install
npm run dev        # runs the operator on an embedded cluster with samples.yaml; needs no cluster
npm test           # tests the life of a Module, and kills the operator at every write
npm run types      # checks the types
npm run lint       # checks the types, and finds promises without await; installs its linter first
npm run format     # formats the sources
\`\`\`

| file | content |
|---|---|
| \`src/web-program.ts\` | the program: start here |
| \`src/web-program.test.ts\` | its tests, in the operator and as a file |
| \`src/register.ts\`, \`src/main.ts\` | registers Modules and Workspaces; starts the operator |
| \`samples.yaml\` | a Workspace that sleeps at night, and two Modules of it |
| \`Dockerfile\` | the image; \`npm run bundle\` makes its content |
| \`tools/package.json\` | the linter and the formatter |
| \`.vscode/launch.json\` | starts \`dev\` and the tests under the debugger of VS Code |
| \`.vcluster-plugin-template.json\` | the templates of this project; \`npx vcluster-plugin upgrade\` says what changed in them since |

\`npm run dev\` also builds the programs that \`package.json\` lists in \`vcluster-plugin.programs\`, and again when a file changes.

## On a cluster

\`\`\`sh
npm run image
npm run --silent manifest | kubectl apply --server-side -f -
npm run program -- --program-namespace ${name}-system
kubectl apply -f dist/program/configmap.yaml
kubectl apply -f samples.yaml
kubectl get modules,workspaces
\`\`\`

Before the last \`apply\`, set \`namespace: ${name}-system\` in \`custom.program.configMap\` of \`samples.yaml\`: the operator loads programs
only from ConfigMaps of its own namespace. Under \`npm run dev\` that is \`default\`.

The cluster's nodes need the image. Either push it to a registry and pass its name: \`npm run --silent manifest -- --image
registry.example.com/${name}:v1\`. Or load it into the cluster (\`kind load docker-image ${name}:dev\`).

All Modules of the Workspace sleep and wake together:

\`\`\`sh
kubectl patch workspace dev --type merge -p '{"spec":{"hibernated":true}}'
kubectl patch workspace dev --type merge -p '{"spec":{"hibernated":false}}'
\`\`\`

## Another version of the program

Raise \`version\` in \`src/web-program.ts\`. \`npm run program\` then writes a ConfigMap with another name, the digest of the program and a
sample Module. Modules keep the program that installed them; new Modules name the new ConfigMap.

A server can have the program instead of a ConfigMap: start the operator with \`PROGRAMS_URL=https://programs.example/\`, and set
\`custom.program.url\` and \`custom.program.digest\` in the Module.
`
