import type { PluginDesign } from '../kind/plugin-design.js'

/** The Dockerfile: one folder and Node, without root; the same for vcluster's own container; and a stage to develop in. */
export function dockerfile({ name, packages }: PluginDesign): string {
  const tarball = packages['vcluster-plugin-sdk']?.endsWith('.tgz') ? ' *.tgz' : ''
  return `# The plugin's image, as a sidecar of the vcluster, or for vcluster's own container:
#
#   docker build -t ${name}:dev .
#   docker build -t ${name}:in-syncer --target in-syncer .

# Debian's slim image has the C library that npm's ready-made binaries are built for.
ARG NODE_IMAGE=node:24-slim
# What the in-syncer image needs beside the plugin: a shell and \`cp\`.
ARG COPY_IMAGE=busybox:1.37

# Every package. Only a change to these files makes this stage run again.
FROM \${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json${tarball} ./
RUN npm ci --no-audit --no-fund

# The whole project with its packages, to work in: what devspace.yaml runs.
FROM packages AS dev
COPY . .
CMD ["sleep", "infinity"]

# The plugin and all it imports in one folder.
FROM packages AS bundle
COPY . .
RUN npx vcluster-plugin bundle . /plugin/main.mjs

# The same with a Node that needs nothing of the image it runs in, and the program \`plugin\` that vcluster starts.
FROM bundle AS in-syncer-files
RUN npx vcluster-plugin runtime /plugin

# An init container copies /plugin to where vcluster looks for plugins; nothing runs in this image but that copy.
FROM \${COPY_IMAGE} AS in-syncer
COPY --from=in-syncer-files /plugin /plugin
USER 1000:1000

# What runs beside the vcluster, and the default: Node and that folder. Nothing is written to the file system, so it may be read-only.
FROM \${NODE_IMAGE} AS sidecar
ENV NODE_ENV=production
# Large buffers go back to the system as soon as they are freed.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
COPY --from=bundle /plugin /plugin
# In numbers, because \`runAsNonRoot\` cannot check a name; 1000 is the base image's user \`node\`.
USER 1000:1000
# Without a shell in between, so that Kubernetes' SIGTERM reaches the plugin and it can stop well. Small semi-spaces cost
# hardly any time and save a third of the memory.
ENTRYPOINT ["node", "--max-semi-space-size=8", "/plugin/main.mjs"]
`
}
