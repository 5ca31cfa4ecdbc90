import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { Crash } from './shell/Crash';
import { followTheme } from './shell/theme';

followTheme();

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root to draw into.');
createRoot(root).render(
  <StrictMode>
    <Crash>
      <App />
    </Crash>
  </StrictMode>,
);
