import { Component, type ReactNode } from 'react';
import { errorText } from '../../model/error-text';
import { Button } from '../controls/Button';
import { Notice } from '../controls/Notice';

/** The last resort: a fault in drawing shows itself here instead of a white page. */
export class Crash extends Component<{ children: ReactNode }, { message: string | undefined }> {
  override state: { message: string | undefined } = { message: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { message: errorText(error) };
  }

  override render() {
    if (this.state.message === undefined) return this.props.children;
    return (
      <Notice
        tone="error"
        title="Rollscope could not draw this"
        actions={
          <>
            <Button kind="primary" onClick={() => this.setState({ message: undefined })}>
              Try again
            </Button>
            <Button onClick={() => window.location.assign(window.location.pathname)}>First screen</Button>
          </>
        }
      >
        <p>{this.state.message}</p>
        <p>Nothing was lost: the files are as they were.</p>
      </Notice>
    );
  }
}
