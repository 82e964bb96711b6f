export { canonicalJson, isObject } from "./json.ts";
export type { Json, JsonObject } from "./json.ts";
export { compareCodePoints } from "./order.ts";
export { redactJson } from "./redact.ts";
export type { Redact } from "./redact.ts";
export { describeFailure, visible } from "./failure.ts";
export type * from "./failure.ts";

export { sanitize, stableName, toolName } from "./naming/names.ts";
export { resolveCollisions } from "./naming/collisions.ts";
export type * from "./naming/collisions.ts";
export { filterTools } from "./naming/filter.ts";
export type * from "./naming/filter.ts";

export { expandServer } from "./config/expand-server.ts";
export type { ExpandedServer } from "./config/expand-server.ts";
export type { ParseOptions } from "./config/given-options.ts";
export { headerShape } from "./config/header-shape.ts";
export type { HeaderShape } from "./config/header-shape.ts";
export { loadConfigFile } from "./config/load-config-file.ts";
export { nearestName } from "./config/nearest-name.ts";
export { parseConfig } from "./config/parse-config.ts";
export { redactor } from "./config/redact.ts";
export type { ExpandOptions } from "./config/resolve-variable.ts";
export type { Secret } from "./config/secrets.ts";
export type * from "./config/server.ts";
export type { Dialect } from "./config/timeouts.ts";

export type * from "./transport/transport.ts";
export { httpTransport } from "./transport/http/http-transport.ts";
export type { HttpSpec } from "./transport/http/http-transport.ts";
export { memoryTransport } from "./transport/memory.ts";
export type { MemoryAnswer } from "./transport/memory.ts";
export type { Authorize, AuthorizeAnswer, AuthorizeAsk, Refusal } from "./transport/authorize.ts";
export type { Reconnect } from "./transport/http/reconnect.ts";
export type { HttpServerSpec } from "./transport/http/server-spec.ts";
export { sseTransport } from "./transport/sse/sse-transport.ts";
export { childEnv } from "./transport/stdio/child-env.ts";
export type { Inherit, Variables } from "./transport/stdio/child-env.ts";
export { stdioTransport } from "./transport/stdio/stdio-transport.ts";
export type { StdioSpec } from "./transport/stdio/stdio-transport.ts";

export { connect } from "./lifecycle/connect.ts";
export { VERSION } from "./lifecycle/version.ts";
export { disconnect, disconnectAll } from "./lifecycle/disconnect.ts";
export {
  answerToElicitResult,
  elicitationToRequest,
  makeAnswer,
  serverRequestResponse,
} from "./lifecycle/elicitation.ts";
export { contentProblem, formFields } from "./lifecycle/elicitation-schema.ts";
export type { FormField } from "./lifecycle/elicitation-schema.ts";
export { execute } from "./lifecycle/execute.ts";
export { fromConfig } from "./lifecycle/from-config.ts";
export { inventory } from "./lifecycle/inventory.ts";
export { orThrow, requireAll } from "./lifecycle/require.ts";
export { toolResult } from "./lifecycle/shape-result.ts";
export type { FailureError } from "./lifecycle/require.ts";
export type { Verdict } from "./lifecycle/negotiation.ts";
export type * from "./lifecycle/records.ts";

export {
  callToolAsTask,
  callToolWithPolling,
  cancelTask,
  getTask,
  updateTask,
} from "./operations/tasks.ts";
export type { FollowOptions } from "./lifecycle/tasks/follow-task.ts";
export type { TaskOrResult } from "./lifecycle/tasks/task-requests.ts";
export type * from "./lifecycle/tasks/task-state.ts";

export { cacheHints } from "./protocol/cache-hints.ts";
export type { CacheHints } from "./protocol/cache-hints.ts";
export type { RequestId } from "./protocol/messages.ts";
export type { Era } from "./protocol/versions.ts";
export type { SessionTools } from "./lifecycle/session-tools.ts";
export type { LogLevel } from "./operations/arguments.ts";
export { complete } from "./operations/completion.ts";
export type {
  Completion,
  CompletionArgument,
  CompletionOptions,
  CompletionReference,
} from "./operations/completion.ts";
export { expandUri } from "./operations/expand-uri.ts";
export type { TemplatePart, TemplateValue } from "./operations/expand-uri.ts";
export { resolveInputRequests } from "./operations/input-requests.ts";
export { addKnownTools, clearKnownTools, removeKnownTools } from "./operations/known-tools.ts";
export { onListChanged } from "./operations/list-changed.ts";
export { listen } from "./operations/listen.ts";
export type {
  ListenCallOptions,
  ListenEnd,
  ListenHandlers,
  Listening,
  Relisten,
} from "./operations/listen.ts";
export type { ListenFilter, ListKindName } from "./operations/listen-filter.ts";
export { setLogLevel } from "./operations/log-level.ts";
export { onLog, onNotification } from "./operations/notifications.ts";
export type { LogMessage, Subscription } from "./operations/notifications.ts";
export type { ListFacts, PageParams } from "./operations/paged.ts";
export { ping } from "./operations/ping.ts";
export type { Pong } from "./operations/ping.ts";
export { getPrompt, listPrompts, listPromptsPage } from "./operations/prompts.ts";
export type { Prompt, PromptList } from "./operations/prompts.ts";
export { notify, notifyProgress, request, requestAs, sendMessage } from "./operations/request.ts";
export type {
  NotifyOptions,
  ProgressReport,
  RequestOptions,
  TypedRequest,
} from "./operations/request.ts";
export {
  isResourceNotFound,
  listResources,
  listResourcesPage,
  listResourceTemplates,
  listResourceTemplatesPage,
  readResource,
  readTemplate,
} from "./operations/resources.ts";
export type {
  Resource,
  ResourceContents,
  ResourceList,
  ResourceTemplate,
  ResourceTemplateList,
} from "./operations/resources.ts";
export { resumeSession } from "./operations/resume-session.ts";
export { saveSession } from "./operations/saved-session.ts";
export type { SavedSession, SavedTool } from "./operations/saved-session.ts";
export { subscribeResource, unsubscribeResource } from "./operations/subscribe-resource.ts";
export type { ResourceHandler, ResourceSubscription } from "./operations/subscribe-resource.ts";
export {
  callTool,
  listTools,
  listToolsPage,
  refresh,
  rename,
  withMeta,
} from "./operations/tools.ts";
