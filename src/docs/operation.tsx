import type { FC } from "hono/jsx";
import type { Content, OperationObject, Parameter, ResponseObject } from "../openapi/objects.ts";
import { Field, Fields, type Resolve } from "./fields.tsx";
import { Code, Paragraphs, Text } from "./text.tsx";

const SHORT_BODY_LENGTH = 40;

/** An operation at its place, and what is needed to show it. */
export interface OperationProps {
  method: string;
  path: string;
  operation: OperationObject;
  apiUrl: string;
  resolve: Resolve;
  /** Looks up the component that an answer refers to. */
  resolveAnswer: (answer: ResponseObject) => ResponseObject;
}

/** An operation of the reference: what it takes and answers, an example, and a form to try it. */
export const Operation: FC<OperationProps> = (props) => {
  const { method, path, operation, resolve, resolveAnswer } = props;
  const { operationId, summary, description, security = [], parameters = [], requestBody } = operation;
  const scope = security[0]?.ApiKey?.[0];
  const answers = Object.entries(operation.responses).map(
    ([status, answer]) => [status, resolveAnswer(answer)] as const,
  );
  const body = requestBody?.content["application/json"];
  return (
    <section class="operation" id={operationId}>
      <div class="about">
        <h3>
          <a href={`#${operationId}`}>{summary}</a>
        </h3>
        <p class="address">
          <Method name={method} /> <code>{path}</code>
        </p>
        {description && <Paragraphs>{description}</Paragraphs>}
        {scope && (
          <p class="scope">
            Scope <code>{scope}</code>
          </p>
        )}
        <Parameters title="Path" place="path" parameters={parameters} resolve={resolve} />
        <Parameters title="Query" place="query" parameters={parameters} resolve={resolve} />
        {body?.schema && (
          <>
            <h4>Body</h4>
            <Fields schema={body.schema} resolve={resolve} />
          </>
        )}
        <Parameters title="Headers" place="header" parameters={parameters} resolve={resolve} />
        <h4>Answers</h4>
        {answers.map(([status, answer]) => (
          <Answer status={status} answer={answer} resolve={resolve} />
        ))}
      </div>
      <div class="examples">
        <Code title="Request">{curlOf(props)}</Code>
        {answers
          .filter(([status]) => status.startsWith("2"))
          .map(([status, { content }]) => {
            const example = exampleText(content);
            return example === undefined ? null : <Code title={`Answer ${status}`}>{example}</Code>;
          })}
        {method !== "put" && <TryIt {...props} />}
      </div>
    </section>
  );
};

/** A method's name in its colour. */
export const Method: FC<{ name: string }> = ({ name }) => (
  <span class={`method ${name}`}>{name.toUpperCase()}</span>
);

interface ParametersProps {
  title: string;
  place: Parameter["in"];
  parameters: readonly Parameter[];
  resolve: Resolve;
}

const Parameters: FC<ParametersProps> = ({ title, place, parameters, resolve }) => {
  const placed = parameters.filter((parameter) => parameter.in === place);
  if (placed.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="fields">
        {placed.map(({ name, schema, required = false, description }) => (
          <Field
            name={name}
            schema={{ ...schema, ...(description !== undefined && { description }) }}
            isRequired={required}
            resolve={resolve}
          />
        ))}
      </ul>
    </>
  );
};

const Answer: FC<{ status: string; answer: ResponseObject; resolve: Resolve }> = ({
  status,
  answer,
  resolve,
}) => {
  const { description = "", content = {} } = answer;
  const isSuccess = status.startsWith("2") || status.startsWith("3");
  const schema = content["application/json"]?.schema;
  return (
    <details class={isSuccess ? "answer success" : "answer"}>
      <summary>
        <span class="status">{status}</span>{" "}
        {isSuccess ? <Text>{description}</Text> : <span class="codes">{codesOf(description)}</span>}
      </summary>
      {isSuccess ? (
        schema ? (
          <Fields schema={schema} resolve={resolve} />
        ) : (
          <p>{Object.keys(content).join(", ") || "No body."}</p>
        )
      ) : (
        <Paragraphs>{description}</Paragraphs>
      )}
    </details>
  );
};

/** The codes that the description of an error answer explains. */
function codesOf(description: string): string {
  return [...description.matchAll(/^`(\w+)`:/gm)].map(([, code]) => code).join(", ");
}

const TryIt: FC<OperationProps> = ({ method, path, operation }) => {
  const { operationId, parameters = [], requestBody, security } = operation;
  const body = requestBody?.content["application/json"]?.example;
  const fields = parameters.filter((parameter) => parameter.in !== "header");
  return (
    <details class="try">
      <summary>Try it</summary>
      <form data-try data-method={method} data-path={path} data-open={String(security?.length === 0)}>
        {fields.map(({ name, in: place, required, schema }) => (
          <label>
            <span>
              {name}
              {required && " *"}
            </span>
            <input
              name={name}
              data-in={place}
              required={required}
              placeholder={schema.default === undefined ? "" : String(schema.default)}
              autocomplete="off"
              spellcheck={false}
            />
          </label>
        ))}
        {body !== undefined && (
          <label>
            <span>Body</span>
            <textarea
              name="body"
              data-in="body"
              rows={8}
              spellcheck={false}
              aria-label={`Body of ${operationId}`}
            >
              {JSON.stringify(body, null, 2)}
            </textarea>
          </label>
        )}
        <button type="submit">Send</button>
        <output />
      </form>
    </details>
  );
};

function exampleText(content: Content = {}): string | undefined {
  const json = content["application/json"];
  return json?.example === undefined ? undefined : JSON.stringify(json.example, null, 2);
}

/** The operation as a command line. */
function curlOf({ method, path, operation, apiUrl }: OperationProps): string {
  const { parameters = [], requestBody, security, responses } = operation;
  const needed = parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const query = needed.map(({ name, schema }) => `${name}=${schema.examples?.[0] ?? schema.enum?.[0] ?? ""}`);
  const filled = parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((filling, { name, schema }) => filling.replace(`{${name}}`, String(schema.examples?.[0])), path);
  const address = `${apiUrl}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`;
  const body = requestBody?.content["application/json"]?.example;
  const isFile = responses[200]?.content !== undefined && !responses[200].content["application/json"];
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${query.length > 0 ? `'${address}'` : address}`,
    ...(security?.length === 0 ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${shellText(body)}'`]),
    ...(isFile ? ["-OJ"] : []),
  ].join(" \\\n  ");
}

/** JSON between single quotes of a shell, over several lines where it is long. */
function shellText(body: unknown): string {
  const short = JSON.stringify(body);
  const json =
    short.length > SHORT_BODY_LENGTH ? JSON.stringify(body, null, 2).replaceAll("\n", "\n  ") : short;
  return json.replaceAll("'", "'\\''");
}
