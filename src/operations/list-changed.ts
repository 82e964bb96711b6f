/**
 * Hearing that a list has changed, in either era.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
import { err, ok } from "../failure.ts";
import type { Result } from "../failure.ts";
import { notificationMessage } from "../protocol/messages.ts";
import type { CallOptions, Connected } from "../lifecycle/records.ts";
import { functionProblem, invalid } from "./arguments.ts";
import { flagOf } from "./listen-filter.ts";
import type { ListKindName } from "./listen-filter.ts";
import { listenTopic } from "./listen-topic.ts";
import { hearServer, register, subscription } from "./notifications.ts";
import type { Subscription } from "./notifications.ts";
import { inSession } from "./operation.ts";
import { share } from "./shared.ts";
import { lackOf } from "./support.ts";

const KINDS: readonly ListKindName[] = ["tools", "prompts", "resources"];

/**
 * Calls a function whenever the server says that its tools, prompts or resources have changed.
 *
 * `refresh` lists the tools anew. In the initialize era servers say so by themselves; since 2026-07-28
 * a subscription asks for it, shared by all who want the same, and after a loss the function is called
 * once, since the server repeats nothing. Fails with `unsupported` where the server does not announce
 * such changes, and `invalid-argument` for a kind of list that is none.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#list-changed-notification
 *
 * @example
 * ```ts
 * import type { Connected } from "mcp-source";
 * import { onListChanged, refresh } from "mcp-source";
 * async function follow(connection: Connected) {
 *   return onListChanged(connection, "tools", () => refresh(connection));
 * }
 * ```
 */
export function onListChanged(
  connection: Connected,
  kind: ListKindName,
  handler: (kind: ListKindName) => unknown,
  options: CallOptions = {},
): Promise<Result<Subscription>> {
  return inSession(connection, options, async (session, call) => {
    if (!KINDS.includes(kind)) return err(invalid(`kind is none of ${KINDS.join(", ")}`));
    const problem = functionProblem("handler", handler);
    if (problem !== null) return err(problem);
    const lack = lackOf(
      session.agreement,
      [kind, "listChanged"],
      "onNotification, or listing again",
    );
    if (lack !== null) return err(lack);
    const method = `notifications/${kind}/list_changed`;
    if (session.agreement.era === "legacy") {
      const registered = register(session, method, () => handler(kind));
      const hearing = hearServer(session);
      await hearing.opened;
      return ok(
        subscription(() => {
          hearing.release();
          return registered.end();
        }),
      );
    }
    const { signal, ...unsignalled } = call;
    const topic = listenTopic(session, `the list of ${kind}`, {
      filter: { [flagOf(kind)]: true },
      missed: notificationMessage(method, undefined),
      call: unsignalled,
    });
    const run = ({ method: told }: { readonly method?: unknown }): unknown =>
      told === method ? handler(kind) : undefined;
    const shared = await share(session, topic, run, signal);
    return shared.ok ? ok(subscription(shared.value.leave)) : shared;
  });
}
