import type { FC } from "hono/jsx";
import type { Content, Parameter, ResponseObject } from "../openapi/objects.ts";
import { buildExampleRequest, type OperationEntry } from "./example-request.ts";
import { Field, Fields, type Resolve } from "./fields.tsx";
import { RequestExamples } from "./request-examples.tsx";
import { Code, Paragraphs, Text } from "./text.tsx";

/** Operation with its method and path, and functions that resolve references. */
export interface OperationProps extends OperationEntry {
  apiUrl: string;
  resolve: Resolve;
  /** Returns the component that a response refers to, or the response itself. */
  resolveResponse: (response: ResponseObject) => ResponseObject;
}

/** Section of an operation: parameters, body, responses, examples and a form to try it. */
export const Operation: FC<OperationProps> = (props) => {
  const { method, path, operation, apiUrl, resolve, resolveResponse } = props;
  const { operationId, summary, description, security = [], parameters = [], requestBody } = operation;
  const scope = security[0]?.ApiKey?.[0];
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolveResponse(response)] as const,
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
        <Parameters title="Path" location="path" parameters={parameters} resolve={resolve} />
        <Parameters title="Query" location="query" parameters={parameters} resolve={resolve} />
        {body?.schema && (
          <>
            <h4>Body</h4>
            <Fields schema={body.schema} resolve={resolve} />
          </>
        )}
        <Parameters title="Headers" location="header" parameters={parameters} resolve={resolve} />
        <h4>Responses</h4>
        {responses.map(([status, response]) => (
          <OperationResponse status={status} response={response} resolve={resolve} />
        ))}
      </div>
      <div class="examples">
        <RequestExamples id={operationId} request={buildExampleRequest(props, apiUrl)} />
        {responses
          .filter(([status]) => status.startsWith("2"))
          .map(([status, { content }]) => {
            const example = formatExample(content);
            return example === undefined ? null : <Code title={`Response ${status}`}>{example}</Code>;
          })}
        {requestBody?.content["*/*"] === undefined && <TryIt {...props} />}
      </div>
    </section>
  );
};

/** Name of an HTTP method in the method's colour. */
export const Method: FC<{ name: string }> = ({ name }) => (
  <span class={`method ${name}`}>{name.toUpperCase()}</span>
);

interface ParametersProps {
  title: string;
  location: Parameter["in"];
  parameters: readonly Parameter[];
  resolve: Resolve;
}

const Parameters: FC<ParametersProps> = ({ title, location, parameters, resolve }) => {
  const selected = parameters.filter((parameter) => parameter.in === location);
  if (selected.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="fields">
        {selected.map(({ name, schema, required = false, description }) => (
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

const OperationResponse: FC<{ status: string; response: ResponseObject; resolve: Resolve }> = ({
  status,
  response,
  resolve,
}) => {
  const { description = "", content = {} } = response;
  const isSuccess = status.startsWith("2") || status.startsWith("3");
  const schema = content["application/json"]?.schema;
  return (
    <details class={isSuccess ? "response success" : "response"}>
      <summary>
        <span class="status">{status}</span>{" "}
        {isSuccess ? <Text>{description}</Text> : <span class="codes">{listErrorCodes(description)}</span>}
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

/** Returns the error codes explained in an error response's description, separated by commas. */
function listErrorCodes(description: string): string {
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
        {fields.map(({ name, in: location, required, schema }) => (
          <label>
            <span>
              {name}
              {required && " *"}
            </span>
            <input
              name={name}
              data-in={location}
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

function formatExample(content: Content = {}): string | undefined {
  const json = content["application/json"];
  return json?.example === undefined ? undefined : JSON.stringify(json.example, null, 2);
}
