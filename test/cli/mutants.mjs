// Faults of the commands about prompts and resources, each with the test that must see it.
export const items = [
  {
    file: "src/cli/item-route.ts",
    find: "text.startsWith(`${name}/`)",
    replace: "text.startsWith(name)",
    testFile: "test/cli/item-route.test.ts",
    test: "starts the servers whose name and a slash begin the text, each with the rest",
  },
  {
    file: "src/cli/item-route.ts",
    find: "all.filter(({ config }) => config.enabled)",
    replace: "all",
    testFile: "test/cli/item-route.test.ts",
    test: "starts every enabled server for a name that says nothing of its server",
  },
  {
    file: "src/cli/read-text.ts",
    find: " && withoutWorkflowCommands(text) === text",
    replace: "",
    testFile: "test/cli/read-text.test.ts",
    test: "writes no byte to the log of a job that its runner would act on, for any text as bytes",
  },
  {
    file: "src/cli/read-text.ts",
    find: 'visible(`--- ${words.join(" ")} ---`)',
    replace: '`--- ${words.join(" ")} ---`',
    testFile: "test/cli/read-text.test.ts",
    test: "gives a terminal text with nothing to act on, for any contents",
  },
  {
    file: "src/cli/prompt-text.ts",
    find: "${shown(contentText(content))}",
    replace: "${contentText(content)}",
    testFile: "test/cli/read-text.test.ts",
    test: "shows messages of a prompt on a terminal with nothing to act on, for any JSON",
  },
  {
    file: "src/lifecycle/tasks/follow-task.ts",
    find: "    tell(task, options);\n",
    replace: "",
    testFile: "test/lifecycle/tasks/tasks.test.ts",
    test: "tells of the task as each look finds it, and drops what the listener throws",
  },
];
